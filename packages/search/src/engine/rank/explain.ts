import type { SearchIndex } from "../index/search-index.ts";
import { aboveFloor } from "./floor.ts";
import { parseQuery } from "./parse-query.ts";
import { rankDocuments, type SearchOptions } from "./rank-skills.ts";
import { resolveTerms } from "./resolve-terms.ts";

/** Why a document has its place. */
export interface Explained {
  readonly id: string;
  readonly score: number;
  /** The share of the query, by weight, that the document contains: 0 to 1. */
  readonly coverage: number;
  /** How alike their meanings are, of the head or the best passage: 0 to 1; 0 without a table of words. */
  readonly meaning: number;
  /** How far it is above the floor, below 0 where it does not fit. */
  readonly aboveFloor: number;
}

/** The best documents for a query, whether they fit or not, best first. */
export function explainRanking(
  index: SearchIndex,
  query: string,
  options: SearchOptions,
): readonly Explained[] {
  const parsed = parseQuery(query, options.synonyms);
  const resolved = resolveTerms(index, parsed);
  const { ranked, toAll } = rankDocuments(index, parsed, resolved, options);
  const above = aboveFloor(index, { mass: resolved.mass, toAll });
  return ranked.slice(0, options.limit).map((found) => ({
    id: found.id,
    score: found.score,
    coverage: found.coverage,
    meaning: Math.max(found.head, found.passage),
    aboveFloor: above(found),
  }));
}
