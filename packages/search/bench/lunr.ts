import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import type { Ranker } from "./ranker.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** The part of lunr 2 that is used; it is installed at run time, so its own types are not at hand. */
export type LunrModule = (configure: (this: LunrBuilder) => void) => LunrIndex;

interface LunrBuilder {
  ref(name: string): void;
  field(name: string, options?: { readonly boost: number }): void;
  add(document: Readonly<Record<string, string>>): void;
}

interface LunrIndex {
  query(
    build: (query: { term(word: string, options: object): void }) => void,
  ): readonly { readonly ref: string }[];
}

export function lunrRanker(lunr: LunrModule, documents: readonly SearchDocument[]): Ranker {
  const index = lunr(function (this: LunrBuilder) {
    this.ref("id");
    this.field("name", { boost: 3 });
    this.field("description", { boost: 2 });
    this.field("keywords");
    this.field("body");
    for (const { id, name, description, keywords, examples, body } of documents) {
      this.add({ id, name, description, keywords: [...keywords, ...examples].join("\n"), body });
    }
  });
  return {
    name: "lunr",
    rank(query, limit) {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const telling = [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
      const found = index.query((wanted) => {
        for (const word of telling) wanted.term(word, { usePipeline: true });
      });
      return found.slice(0, limit).map(({ ref }) => ref);
    },
  };
}
