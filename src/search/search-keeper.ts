import { inTurn, type Steps } from "../catalog/steps.ts";
import type { Snapshot } from "../registry/registry.ts";
import { createTimeSlices, runSteps, type TimeSlices } from "../system/time-slice.ts";
import type { SearchDocument } from "./engine/index-of-skills.ts";
import { createIndexBuilder, EMPTY_INDEX, type SearchIndex, updateIndex } from "./engine/index-of-skills.ts";
import { librarySearchables, type Searchable, searchablesOf } from "./searchable.ts";

/** An index, and what it was made of: which version of which skills. */
export interface KeptIndex {
  readonly index: SearchIndex;
  /** The revision of each indexed skill, by its id. */
  readonly revisions: ReadonlyMap<string, string>;
}

/** Keeps an index on the disk between runs. Whatever it answers is compared with the skills themselves. */
export interface IndexStore {
  load(): Promise<KeptIndex | undefined>;
  save(kept: KeptIndex): Promise<void>;
}

export interface SearchKeeperOptions {
  readonly read: (found: Searchable) => Promise<SearchDocument | undefined>;
  readonly store: IndexStore | undefined;
  /** Does something when it is in nobody's way; at once unless said otherwise. */
  readonly soon?: (action: () => void) => void;
}

/** Keeps a search index equal to the catalog. Nothing is read or built before someone asks. */
export interface SearchKeeper {
  /** The index of exactly this snapshot's skills. */
  indexFor(snapshot: Snapshot): Promise<SearchIndex>;
  /** Once nothing is being saved any more. */
  saved(): Promise<void>;
}

const NOTHING: KeptIndex = { index: EMPTY_INDEX, revisions: new Map() };

/** Up to this many changes are added to the index there is; more are cheaper to build anew. */
const MOST_UPDATES = 256;

export function createSearchKeeper({
  read,
  store,
  soon = (action) => action(),
}: SearchKeeperOptions): SearchKeeper {
  let kept: Promise<KeptIndex> | undefined;
  let snapshotOfKept: Snapshot | undefined;
  let saving = Promise.resolve();

  async function follow(before: Promise<KeptIndex>, snapshot: Snapshot): Promise<KeptIndex> {
    const old = await before;
    const pace = createTimeSlices();
    const difference = await runSteps(compare(old.revisions, snapshot), pace);
    if (difference === undefined) return old;
    const { wanted, changed, removed } = difference;
    const fresh =
      changed.length > MOST_UPDATES && old.revisions.size < 2 * changed.length
        ? { index: await build(searchablesOf(snapshot), read, pace), revisions: wanted }
        : { index: await update(old.index, { changed, removed }, read, pace), revisions: wanted };
    // Failing to save costs the next start some time, and nothing else.
    if (store !== undefined) {
      soon(() => {
        saving = store.save(fresh).catch(() => {});
      });
    }
    return fresh;
  }

  return {
    saved: () => saving,
    async indexFor(snapshot) {
      if (snapshotOfKept !== snapshot || kept === undefined) {
        const before = kept ?? store?.load().then((loaded) => loaded ?? NOTHING) ?? Promise.resolve(NOTHING);
        // A failed attempt must not fail every later one.
        kept = follow(
          before.catch(() => NOTHING),
          snapshot,
        );
        snapshotOfKept = snapshot;
      }
      return (await kept).index;
    },
  };
}

interface Difference {
  readonly changed: readonly Searchable[];
  /** Ids that are indexed and not there any more. */
  readonly removed: readonly string[];
}

/** Undefined when the index holds every skill as it is, and no other: most looks at the disk find nothing new. */
function* compare(
  indexed: KeptIndex["revisions"],
  snapshot: Snapshot,
): Steps<(Difference & { readonly wanted: KeptIndex["revisions"] }) | undefined> {
  if (yield* isAsIndexed(indexed, snapshot)) return undefined;
  const wanted = new Map<string, string>();
  const changed: Searchable[] = [];
  yield* inTurn([...searchablesOf(snapshot)], (found) => {
    wanted.set(found.id, found.revision);
    if (indexed.get(found.id) !== found.revision) changed.push(found);
  });
  const removed: string[] = [];
  yield* inTurn([...indexed.keys()], (id) => {
    if (!wanted.has(id)) removed.push(id);
  });
  return { wanted, changed, removed };
}

function* isAsIndexed(indexed: KeptIndex["revisions"], snapshot: Snapshot): Steps<boolean> {
  let found = 0;
  let isSame = true;
  const { fingerprints } = snapshot;
  yield* inTurn(snapshot.catalog.entries, ({ skill }) => {
    found++;
    isSame &&= indexed.get(skill.dir) === (fingerprints.get(skill) ?? "");
  });
  for (const searchable of librarySearchables(snapshot)) {
    found++;
    isSame &&= indexed.get(searchable.id) === searchable.revision;
  }
  return isSame && found === indexed.size;
}

type Read = SearchKeeperOptions["read"];

/** Builds in slices, so that requests are answered meanwhile. */
async function build(all: Iterable<Searchable>, read: Read, pace: TimeSlices): Promise<SearchIndex> {
  const builder = createIndexBuilder();
  await readEach(all, read, pace, async (document) => {
    if (document !== undefined) await runSteps(builder.add(document), pace);
  });
  return runSteps(builder.finish(), pace);
}

async function update(
  index: SearchIndex,
  { changed, removed }: Difference,
  read: Read,
  pace: TimeSlices,
): Promise<SearchIndex> {
  const added: SearchDocument[] = [];
  const gone = [...removed];
  await readEach(changed, read, pace, async (document, id) => {
    // A file that cannot be read any more must not stay findable by its old text.
    if (document === undefined) gone.push(id);
    else added.push(document);
  });
  return runSteps(updateIndex(index, { removed: gone, added }), pace);
}

/** As many as are read in parallel by a slow disk; what more of them bring at once would be parsed in one go. */
const READ_AT_ONCE = 4;

/** Reads some files at a time and makes room for other work in between. */
async function readEach(
  all: Iterable<Searchable>,
  read: Read,
  pace: TimeSlices,
  use: (document: SearchDocument | undefined, id: string) => Promise<void>,
): Promise<void> {
  for (const some of inGroups(all, READ_AT_ONCE)) {
    const documents = await Promise.all(some.map(read));
    await pace.yieldIfDue();
    for (const [offset, { id }] of some.entries()) await use(documents[offset], id);
  }
}

function* inGroups<T>(all: Iterable<T>, size: number): Iterable<readonly T[]> {
  let group: T[] = [];
  for (const item of all) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
