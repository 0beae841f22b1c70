import { formatIndexFile, parseIndexFile } from "../src/cache/index-cache.ts";
import { createIndexBuilder, EMPTY_INDEX, updateIndex } from "../src/engine/index/search-index.ts";
import type { WordTable } from "../src/engine/meaning/embed.ts";
import { searchIndex } from "../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../src/engine/steps.ts";
import { stemEnglish } from "../src/engine/words/porter2.ts";
import { readWordTable } from "../src/word-table-file.ts";
import { allWordsRanker } from "./all-words.ts";
import { cachedStem } from "./cached-stem.ts";
import type { Searched } from "./documents.ts";
import { miniSearchDocument, miniSearchOptions } from "./minisearch.ts";
import { loadPeers } from "./peers.ts";
import type { Ranker } from "./ranker.ts";

/** An index under construction, then in use. */
export interface SpeedSubject {
  add(searched: Searched): void;
  finish(): void;
  search(query: string): void;
  /** What a scan of the texts has no need of. */
  readonly store?: {
    edit(searched: Searched): void;
    save(): Promise<Uint8Array>;
    load(saved: Uint8Array): Promise<void>;
  };
}

export type SubjectName = "skills-mcp" | "skills-mcp, words alone" | "MiniSearch, stemmed" | "substring scan";

const LIMIT = 10;
/** Loaded before anything is measured: the first search of a process waits for it, and no later one. */
const wordTable = await readWordTable();

const CREATE: Readonly<Record<SubjectName, () => SpeedSubject>> = {
  "skills-mcp": () => ours(wordTable),
  "skills-mcp, words alone": () => ours(undefined),
  "MiniSearch, stemmed": miniSearch,
  "substring scan": scan,
};

export function createSubject(name: SubjectName): SpeedSubject {
  return CREATE[name]();
}

function ours(table: WordTable | undefined): SpeedSubject {
  // Given up when it has finished, as the product does.
  let builder: ReturnType<typeof createIndexBuilder> | undefined = createIndexBuilder(table);
  let index = EMPTY_INDEX;
  return {
    add({ document }) {
      if (builder !== undefined) builder.add(document);
    },
    finish() {
      if (builder !== undefined) index = runToEnd(builder.finish());
      builder = undefined;
    },
    search: (query) => void searchIndex(index, query, { limit: LIMIT }),
    store: {
      edit({ document }) {
        index = runToEnd(updateIndex(index, { removed: [document.id], added: [document] }));
      },
      save: async () => Buffer.concat(await formatIndexFile({ index, fingerprints: new Map() })),
      async load(saved) {
        if ((await parseIndexFile(Buffer.from(saved.buffer), table)) === undefined) {
          throw new Error("The saved index could not be read.");
        }
      },
    },
  };
}

function miniSearch(): SpeedSubject {
  const { miniSearch: MiniSearch } = loadPeers();
  const index = new MiniSearch(miniSearchOptions(cachedStem(stemEnglish)));
  return {
    add: ({ document }) => index.add(miniSearchDocument(document)),
    finish() {},
    search: (query) => void index.search(query).slice(0, LIMIT),
    store: {
      edit: ({ document }) => index.replace(miniSearchDocument(document)),
      save: async () => Buffer.from(JSON.stringify(index)),
      load: async (saved) =>
        void MiniSearch.loadJSON(Buffer.from(saved).toString(), miniSearchOptions(cachedStem(stemEnglish))),
    },
  };
}

function scan(): SpeedSubject {
  let texts: { id: string; text: string }[] = [];
  let ranker: Ranker | undefined;
  return {
    add: ({ document, text }) => void texts.push({ id: document.id, text }),
    finish() {
      ranker = allWordsRanker(texts);
      texts = [];
    },
    search: (query) => void ranker?.rank(query, LIMIT),
  };
}
