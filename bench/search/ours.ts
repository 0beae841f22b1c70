import type { SearchDocument } from "../../src/search/engine/index/search-document.ts";
import { createIndexBuilder } from "../../src/search/engine/index/search-index.ts";
import { type RankedAnswer, searchIndex } from "../../src/search/engine/rank/rank-skills.ts";
import { runToEnd } from "../../src/search/engine/steps.ts";
import type { Ranker } from "./ranker.ts";

export interface OurRanker extends Ranker {
  answer(query: string, limit: number): RankedAnswer;
}

export function ourRanker(documents: readonly SearchDocument[]): OurRanker {
  const builder = createIndexBuilder();
  for (const document of documents) builder.add(document);
  const index = runToEnd(builder.finish());
  const answer = (query: string, limit: number): RankedAnswer => searchIndex(index, query, { limit });
  return {
    name: "skills-mcp",
    answer,
    rank: (query, limit) => answer(query, limit).results.map(({ id }) => id),
  };
}
