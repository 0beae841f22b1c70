import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import type { Ranker } from "./ranker.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** The part of MiniSearch 7 that is used; it is installed at run time, so its own types are not at hand. */
export interface MiniSearchClass {
  new (options: MiniSearchOptions): MiniSearchIndex;
  loadJSON(json: string, options: MiniSearchOptions): MiniSearchIndex;
}

interface MiniSearchOptions {
  readonly fields: readonly string[];
  readonly processTerm: (term: string) => string | null;
  readonly searchOptions: { readonly boost: Readonly<Record<string, number>>; readonly combineWith: "OR" };
}

interface MiniSearchIndex {
  add(document: MiniSearchDocument): void;
  replace(document: MiniSearchDocument): void;
  search(query: string): readonly { readonly id: string }[];
}

interface MiniSearchDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly keywords: string;
  readonly body: string;
}

/** Of a handful of settings, the one that fared best on both sets of prompts; `stem` gives the stem of a word. */
export function miniSearchOptions(stem: (word: string) => string): MiniSearchOptions {
  return {
    fields: ["name", "description", "keywords", "body"],
    processTerm(term) {
      const word = term.toLowerCase();
      return STOP_WORDS.has(word) ? null : stem(word);
    },
    searchOptions: { boost: { name: 2, description: 2, keywords: 0.5, body: 1 }, combineWith: "OR" },
  };
}

export function miniSearchDocument(document: SearchDocument): MiniSearchDocument {
  const { id, name, description, keywords, examples, body } = document;
  return { id, name, description, keywords: [...keywords, ...examples].join("\n"), body };
}

export function miniSearchRanker(
  name: string,
  MiniSearch: MiniSearchClass,
  stem: (word: string) => string,
  documents: readonly SearchDocument[],
): Ranker {
  const index = new MiniSearch(miniSearchOptions(stem));
  for (const document of documents) index.add(miniSearchDocument(document));
  return {
    name,
    rank: (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id),
  };
}
