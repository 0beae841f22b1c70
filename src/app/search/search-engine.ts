import path from "node:path";
import type { Snapshot } from "../../registry/registry.ts";
import { createIndexCache } from "../../search/cache/index-cache.ts";
import { createCurrentIndex } from "../../search/current-index.ts";
import type { Log } from "../../system/log.ts";
import { createSynonymsReader } from "./read-synonyms.ts";
import { type SearchResult, searchSkills } from "./search-skills.ts";
import { createSearchableSnapshots } from "./searchable.ts";

export interface SearchEngineOptions {
  /** `~/.skills-mcp`, which holds the index between runs. */
  readonly ownFolder: string;
  /** The user's synonyms. */
  readonly synonymsFile: string;
  /** Everything that decides which skills are seen. */
  readonly view: string;
  readonly log: Log;
  /** Runs an action once the server is idle. */
  readonly soon: (action: () => void) => void;
}

export interface SearchEngine {
  search(snapshot: Snapshot, task: string, limit: number): Promise<SearchResult>;
  /** Builds the index, so that the first search need not wait. */
  prepare(snapshot: Snapshot): Promise<void>;
  /** Resolves when the index is on disk for the next run. */
  saved(): Promise<void>;
}

/** Loaded on demand: most servers never search, and its tables would cost every start. */
export function createSearchEngine(options: SearchEngineOptions): SearchEngine {
  const { ownFolder, synonymsFile, view, log, soon } = options;
  const readSynonyms = createSynonymsReader(synonymsFile, log);
  const cache = createIndexCache({ folder: path.join(ownFolder, "cache"), view, now: Date.now });
  const current = createCurrentIndex({ cache, whenIdle: soon });
  const searchable = createSearchableSnapshots();
  return {
    async search(snapshot, task, limit) {
      const skills = searchable(snapshot);
      const index = await current.of(skills);
      return searchSkills(skills, index, { task, limit, synonyms: await readSynonyms() });
    },
    async prepare(snapshot) {
      await current.of(searchable(snapshot));
    },
    saved: () => current.saved(),
  };
}
