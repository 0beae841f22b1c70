import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import { createIndexBuilder, type SearchIndex } from "../src/engine/index/search-index.ts";
import { DIMENSIONS } from "../src/engine/index/segment.ts";
import type { WordTable } from "../src/engine/meaning/embed.ts";
import { similarityAt } from "../src/engine/meaning/embed.ts";
import { parseQuery, type Synonyms } from "../src/engine/rank/parse-query.ts";
import { type RankedAnswer, searchIndex } from "../src/engine/rank/rank-skills.ts";
import { resolveTerms } from "../src/engine/rank/resolve-terms.ts";
import { queryMeaning } from "../src/engine/rank/score-documents.ts";
import { runToEnd } from "../src/engine/steps.ts";
import type { Ranker } from "./ranker.ts";

export interface OurRanker extends Ranker {
  answer(query: string, limit: number, synonyms?: Synonyms): RankedAnswer;
}

/** As users have it, with the floor; without a table, by words alone. */
export function ourRanker(
  name: string,
  documents: readonly SearchDocument[],
  table: WordTable | undefined,
): OurRanker {
  const index = indexOf(documents, table);
  const answer: OurRanker["answer"] = (query, limit, synonyms) =>
    searchIndex(index, query, { limit, ...(synonyms === undefined ? {} : { synonyms }) });
  return { name, answer, rank: (query, limit) => answer(query, limit).results.map(({ id }) => id) };
}

/** Every document by its vectors and nothing else. */
export function meaningRanker(documents: readonly SearchDocument[], table: WordTable): Ranker {
  const index = indexOf(documents, table);
  return {
    name: "skills-mcp, meaning alone",
    rank(query, limit) {
      const parsed = parseQuery(query, undefined);
      const meaning = queryMeaning(index, parsed, resolveTerms(index, parsed));
      return meaning === undefined ? [] : nearest(index, meaning).slice(0, limit);
    },
  };
}

function nearest({ views }: SearchIndex, meaning: Int8Array): readonly string[] {
  const scored = views.flatMap(({ segment: { ids, heads, passages, passageStarts } }) =>
    ids.map((id, doc) => {
      let score = similarityAt(heads, doc * DIMENSIONS, meaning);
      for (let at = passageStarts[doc] ?? 0; at < (passageStarts[doc + 1] ?? 0); at++) {
        score = Math.max(score, similarityAt(passages, at * DIMENSIONS, meaning));
      }
      return { id, score };
    }),
  );
  return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function indexOf(documents: readonly SearchDocument[], table: WordTable | undefined): SearchIndex {
  const builder = createIndexBuilder(table);
  for (const document of documents) builder.add(document);
  return runToEnd(builder.finish());
}
