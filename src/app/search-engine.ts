import path from "node:path";
import type { Snapshot } from "../registry/registry.ts";
import { createIndexStore } from "../search/cache/index-store.ts";
import { readSearchDocument } from "../search/search-documents.ts";
import { createSearchKeeper } from "../search/search-keeper.ts";
import { createSearchableFinder } from "../search/searchable.ts";
import type { Log } from "../system/log.ts";
import { createSynonymsReader } from "./read-synonyms.ts";
import { type SearchResult, searchSkills } from "./search-skills.ts";

export interface SearchEngineOptions {
  /** `~/.skills-mcp`, where the index is kept between runs. */
  readonly ownFolder: string;
  /** The user's synonyms. */
  readonly synonymsFile: string;
  /** Everything that decides which skills are seen. */
  readonly view: string;
  readonly log: Log;
  /** Does something when it is in nobody's way. */
  readonly soon: (action: () => void) => void;
}

export interface SearchEngine {
  search(snapshot: Snapshot, task: string, limit: number): Promise<SearchResult>;
  /** Begins to index, so that the first search need not wait. */
  prepare(snapshot: Snapshot): Promise<void>;
  /** Once the index is on the disk for the next run. */
  saved(): Promise<void>;
}

/** Loaded on demand: most servers never search, and its tables would cost every start. */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { ownFolder, synonymsFile, view, log, soon } = options;
  const readSynonyms = createSynonymsReader(synonymsFile, log);
  const keeper = createSearchKeeper({
    read: readSearchDocument,
    store: createIndexStore({ folder: path.join(ownFolder, "cache"), view, now: Date.now }),
    soon,
  });
  const deps = { find: createSearchableFinder() };
  return {
    async search(snapshot, task, limit) {
      const index = await keeper.indexFor(snapshot);
      return searchSkills(snapshot, index, { task, limit, synonyms: await readSynonyms() }, deps);
    },
    async prepare(snapshot) {
      await keeper.indexFor(snapshot);
    },
    saved: () => keeper.saved(),
  };
}
