import type { SearchDocument } from "../catalog/search/index-of-skills.ts";
import {
  createIndexBuilder,
  EMPTY_INDEX,
  type SearchIndex,
  updateIndex,
} from "../catalog/search/index-of-skills.ts";
import { createIndexingPace, type Pace, runPaced } from "./pace.ts";
import type { Snapshot } from "./registry.ts";
import { type Searchable, searchablesOf } from "./searchable.ts";

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
}

/** Keeps a search index equal to the catalog. Nothing is read or built before someone asks. */
export interface SearchKeeper {
  /** The index of exactly this snapshot's skills. */
  indexFor(snapshot: Snapshot): Promise<SearchIndex>;
}

const NOTHING: KeptIndex = { index: EMPTY_INDEX, revisions: new Map() };

/** Up to this many changes are added to the index there is; more are cheaper to build anew. */
const MOST_UPDATES = 256;

export function createSearchKeeper({ read, store }: SearchKeeperOptions): SearchKeeper {
  let kept: Promise<KeptIndex> | undefined;
  let snapshotOfKept: Snapshot | undefined;

  async function follow(before: Promise<KeptIndex>, snapshot: Snapshot): Promise<KeptIndex> {
    const old = await before;
    const pace = createIndexingPace();
    const { wanted, changed, removed } = await compare(old.revisions, snapshot, pace);
    if (changed.length + removed.length === 0) return old;
    const fresh =
      changed.length > MOST_UPDATES && old.revisions.size < 2 * changed.length
        ? { index: await build(searchablesOf(snapshot), read, pace), revisions: wanted }
        : { index: await update(old.index, { changed, removed }, read, pace), revisions: wanted };
    // Failing to save costs the next start some time, and nothing else.
    void store?.save(fresh).catch(() => {});
    return fresh;
  }

  return {
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

async function compare(
  indexed: KeptIndex["revisions"],
  snapshot: Snapshot,
  pace: Pace,
): Promise<Difference & { readonly wanted: KeptIndex["revisions"] }> {
  await snapshot.prepareRevisions();
  const wanted = new Map<string, string>();
  const changed: Searchable[] = [];
  for (const found of searchablesOf(snapshot)) {
    wanted.set(found.id, found.revision);
    if (indexed.get(found.id) !== found.revision) changed.push(found);
    const rest = pace.rest();
    if (rest !== undefined) await rest;
  }
  const removed: string[] = [];
  for (const id of indexed.keys()) if (!wanted.has(id)) removed.push(id);
  return { wanted, changed, removed };
}

type Read = SearchKeeperOptions["read"];

/** Builds in slices, so that requests are answered meanwhile. */
async function build(all: Iterable<Searchable>, read: Read, pace: Pace): Promise<SearchIndex> {
  const builder = createIndexBuilder();
  await readEach(all, read, pace, async (document) => {
    if (document !== undefined) await runPaced(builder.add(document), pace);
  });
  return runPaced(builder.finish(), pace);
}

async function update(
  index: SearchIndex,
  { changed, removed }: Difference,
  read: Read,
  pace: Pace,
): Promise<SearchIndex> {
  const added: SearchDocument[] = [];
  const gone = [...removed];
  await readEach(changed, read, pace, async (document, id) => {
    // A file that cannot be read any more must not stay findable by its old text.
    if (document === undefined) gone.push(id);
    else added.push(document);
  });
  return runPaced(updateIndex(index, { removed: gone, added }), pace);
}

/** As many as are read in parallel; what more of them bring at once would be parsed in one go. */
const READ_AT_ONCE = 4;

/** Reads some files at a time and makes room for other work in between. */
async function readEach(
  all: Iterable<Searchable>,
  read: Read,
  pace: Pace,
  use: (document: SearchDocument | undefined, id: string) => Promise<void>,
): Promise<void> {
  for (const some of inGroups(all, READ_AT_ONCE)) {
    const documents = await Promise.all(some.map(read));
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
