import path from "node:path";
import type { Snapshot } from "#skills";
import type { Log } from "#util";
import { createIndexCache } from "./cache/index-cache.ts";
import { createCurrentIndex } from "./current-index.ts";
import { loadWordTable } from "./load-word-table.ts";
import { createSynonymsReader } from "./read-synonyms.ts";
import { type SearchRequest, type SearchResult, searchSkills } from "./search-skills.ts";
import { searchableSnapshot } from "./searchable.ts";

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
