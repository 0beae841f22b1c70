import path from "node:path";
import type { Snapshot } from "#skills";
import { createTimeSlices, type Log, runQueue, runSteps, type TimeSlices } from "#util";
import { createIndexCache } from "./cache/index-cache.ts";
import type { SearchDocument } from "./engine/index/build-segment.ts";
import {
  createIndexBuilder,
  emptyIndex,
  type SearchIndex,
  updateIndex,
} from "./engine/index/search-index.ts";
import type { WordTable } from "./engine/meaning/embed.ts";
import { createSynonymsReader } from "./read-synonyms.ts";
import { type SearchRequest, type SearchResult, searchSkills } from "./search-skills.ts";
import { searchableSnapshot } from "./searchable.ts";
import { loadWordTable } from "./word-table-file.ts";

/** By id. Another fingerprint means that the text of the skill may have changed. */
export type Fingerprints = ReadonlyMap<string, string>;

/** The skills to search, at one moment. */
export interface SearchableSkills {
  readonly fingerprints: Fingerprints;
  /** Reads the text of a skill; undefined when it can no longer be read. */
  read(id: string): Promise<SearchDocument | undefined>;
}

/** An index, and the fingerprint of each skill in it. */
export interface IndexedSkills {
  readonly index: SearchIndex;
  readonly fingerprints: Fingerprints;
}

/** The index on disk between runs. What it loads is compared with the skills themselves. */
export interface IndexCache {
  /** An index with vectors of this table, or without any. */
  load(table?: WordTable): Promise<IndexedSkills | undefined>;
  /** Whether it has the index of exactly these skills, as far as can be told without loading it. */
  has(fingerprints: Fingerprints): Promise<boolean>;
  save(indexed: IndexedSkills): Promise<void>;
}

export interface CurrentIndexOptions {
  readonly cache: IndexCache | undefined;
  /** Runs an action once the server is idle; at once unless given. */
  readonly whenIdle?: (action: () => void) => void;
  /** Called once, with the first search. Without a table, skills are found by their words alone. */
  readonly loadTable?: () => Promise<WordTable | undefined>;
}

/** A search index that follows the skills. Nothing is read or built before the first search. */
export interface CurrentIndex {
  /** The index of exactly these skills. */
  of(skills: SearchableSkills): Promise<SearchIndex>;
  /**
   * Builds the index of these skills if neither memory nor the cache has it. A cached one is not loaded before the
   * first search: it takes megabytes, and loading it some milliseconds.
   */
  prepare(skills: SearchableSkills): Promise<void>;
  /** Resolves when no save is under way. */
  saved(): Promise<void>;
}

/** Up to this many changes update the index; more are cheaper to build again. */
const MOST_UPDATES = 256;

export function createCurrentIndex({
  cache,
  whenIdle = (action) => action(),
  loadTable = async () => undefined,
}: CurrentIndexOptions): CurrentIndex {
  let table: Promise<WordTable | undefined> | undefined;
  let current: { readonly skills: SearchableSkills; readonly indexed: Promise<IndexedSkills> } | undefined;
  let saving = Promise.resolve();

  const nothing = async (): Promise<IndexedSkills> => {
    table ??= loadTable();
    return { index: emptyIndex(await table), fingerprints: new Map() };
  };

  const start = async (): Promise<IndexedSkills> => {
    const empty = await nothing();
    return (await cache?.load(empty.index.table)) ?? empty;
  };

  async function follow(before: Promise<IndexedSkills>, skills: SearchableSkills): Promise<IndexedSkills> {
    // A failed attempt must not fail every later one.
    const old = await before.catch(nothing);
    const { changed, removed } = difference(old.fingerprints, skills.fingerprints);
    // The skills' own fingerprints, so that equal ones of a loaded index need not stay in memory.
    if (changed.length === 0 && removed.length === 0)
      return { index: old.index, fingerprints: skills.fingerprints };
    const isRebuilt = changed.length > MOST_UPDATES && old.fingerprints.size < 2 * changed.length;
    const index = isRebuilt
      ? await build(skills, old.index.table)
      : await update(old.index, skills, changed, removed);
    const fresh = { index, fingerprints: skills.fingerprints };
    whenIdle(() => {
      // Without a saved index the next start takes longer, and nothing else.
      saving = cache?.save(fresh).catch(() => {}) ?? saving;
    });
    return fresh;
  }

  const of = async (skills: SearchableSkills): Promise<SearchIndex> => {
    if (current?.skills !== skills) {
      current = { skills, indexed: follow(current?.indexed ?? start(), skills) };
    }
    return (await current.indexed).index;
  };

  return {
    of,
    async prepare(skills) {
      if (current === undefined && (await cache?.has(skills.fingerprints)) === true) return;
      await of(skills);
    },
    saved: () => saving,
  };
}

function difference(before: Fingerprints, after: Fingerprints) {
  const changed: string[] = [];
  const removed: string[] = [];
  for (const [id, fingerprint] of after) if (before.get(id) !== fingerprint) changed.push(id);
  for (const id of before.keys()) if (!after.has(id)) removed.push(id);
  return { changed, removed };
}

async function build(skills: SearchableSkills, table: WordTable | undefined): Promise<SearchIndex> {
  const slices = createTimeSlices();
  const builder = createIndexBuilder(table);
  await readEach(skills.fingerprints.keys(), skills, slices, (_id, document) => {
    if (document !== undefined) builder.add(document);
  });
  return runSteps(builder.finish(), slices);
}

async function update(
  index: SearchIndex,
  skills: SearchableSkills,
  changed: readonly string[],
  removed: readonly string[],
): Promise<SearchIndex> {
  const slices = createTimeSlices();
  const added: SearchDocument[] = [];
  const gone = [...removed];
  await readEach(changed, skills, slices, (id, document) => {
    // A file that can no longer be read must not be found by its old text.
    if (document === undefined) gone.push(id);
    else added.push(document);
  });
  return runSteps(updateIndex(index, { removed: gone, added }), slices);
}

/** Files that are read at the same time may be parsed in one turn of the event loop. */
const READ_AT_ONCE = 4;

/** Reads in parallel, and uses one document after the other, so that each may wait for the next time slice. */
async function readEach(
  ids: Iterable<string>,
  skills: SearchableSkills,
  slices: TimeSlices,
  use: (id: string, document: SearchDocument | undefined) => void,
): Promise<void> {
  let using = Promise.resolve();
  await runQueue(ids, READ_AT_ONCE, async (id) => {
    const document = await skills.read(id);
    using = using.then(async () => {
      await slices.yieldIfDue();
      use(id, document);
    });
    await using;
  });
}

interface SearchEngineOptions {
  /** `~/.skills-mcp`, where the index is cached between runs. */
  readonly ownFolder: string;
  readonly home: string;
  /** The user's synonyms. */
  readonly synonymsFile: string;
  /** Everything that decides which skills are seen. */
  readonly view: string;
  readonly log: Log;
  /** Runs an action once the server is idle. */
  readonly soon: (action: () => void) => void;
}

export type SearchEngine = ReturnType<typeof createSearchEngine>;

/** Loaded on demand: most servers never search, and its tables would cost every start. */
export function createSearchEngine(options: SearchEngineOptions) {
  const { ownFolder, home, synonymsFile, view, log, soon } = options;
  const readSynonyms = createSynonymsReader(synonymsFile, log);
  const cache = createIndexCache({ folder: path.join(ownFolder, "cache"), view, now: Date.now });
  const current = createCurrentIndex({
    cache,
    whenIdle: soon,
    loadTable: () => loadWordTable(home, log),
  });
  return {
    async search(
      snapshot: Snapshot,
      { task, limit, audience }: Pick<SearchRequest, "task" | "limit" | "audience">,
    ): Promise<SearchResult> {
      const skills = searchableSnapshot(snapshot);
      const index = await current.of(skills.indexed);
      return searchSkills(skills, index, { task, limit, audience, synonyms: await readSynonyms() });
    },
    /** Builds the index unless it is cached, so that the first search need not wait. */
    prepare: (snapshot: Snapshot): Promise<void> => current.prepare(searchableSnapshot(snapshot).indexed),
    /** The index of all skills, for a search in another process. */
    async indexOf(snapshot: Snapshot) {
      return {
        index: await current.of(searchableSnapshot(snapshot).indexed),
        synonyms: await readSynonyms(),
      };
    },
    /** Resolves when the index is on disk for the next run. */
    saved: () => current.saved(),
  };
}
