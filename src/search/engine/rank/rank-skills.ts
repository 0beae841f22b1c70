import type { SearchIndex } from "../index/search-index.ts";
import { bestDocuments, byRank, namedDocuments } from "./best-documents.ts";
import { confidenceOf, type Verdict, verdictOf } from "./confidence.ts";
import { type ParsedQuery, parseQuery, type Synonyms } from "./parse-query.ts";
import { type Reranked, rerank } from "./rerank.ts";
import { type ResolvedQuery, resolveTerms } from "./resolve-terms.ts";
import { scoreDocuments } from "./score-documents.ts";

interface Ranked {
  readonly id: string;
  readonly score: number;
  /** Words of the query as typed, in lower case, in query order. */
  readonly matched: readonly string[];
}

export interface RankedAnswer {
  /** How many documents match at all. */
  readonly total: number;
  /** Best first, at most `limit`. */
  readonly results: readonly Ranked[];
  /** 0 to 1: how probable it is that the first result is right. */
  readonly confidence: number;
  readonly verdict: Verdict;
}

export interface SearchOptions {
  readonly limit: number;
  /** A word or phrase in lower case → what else it may be called. */
  readonly synonyms?: Synonyms;
  /** The ids of the skills whose name is the whole query: they come first, even if every word of it is a stop word. */
  readonly named?: ReadonlySet<string>;
  /** The ids of skills that are not to be found. */
  readonly hidden?: ReadonlySet<string>;
}

const NO_IDS: ReadonlySet<string> = new Set();
/** Far more than any score that words can earn. */
const NAMED = 10;

/** How many of the best by BM25F are reranked: few correct answers rank lower. */
const RERANKED = 100;

export function searchIndex(index: SearchIndex, query: string, options: SearchOptions): RankedAnswer {
  const parsed = parseQuery(query, options.synonyms);
  const resolved = resolveTerms(index, parsed);
  const scores = scoreDocuments(index, resolved.terms);
  const { hidden = NO_IDS } = options;
  const { total, best } = bestDocuments(index, scores, Math.max(RERANKED, options.limit), hidden);
  const ids = without(options.named ?? NO_IDS, hidden);
  const named = namedDocuments(index, scores, ids);
  const candidates = named.length === 0 ? best : [...named, ...best.filter(({ id }) => !ids.has(id))];
  const ranked = rerank(index, parsed, resolved, candidates)
    .map((found) => (ids.has(found.id) ? { ...found, score: found.score + NAMED } : found))
    .sort(byRank);
  const confidence = rounded(confidenceOf(ranked, resolved.searched, named.length));
  return {
    total: total + named.filter(({ score }) => score === 0).length,
    results: ranked.slice(0, options.limit).map((found) => {
      const matched = matchedWords(parsed, resolved, found);
      return {
        id: found.id,
        score: rounded(found.score),
        matched: matched.length === 0 && ids.has(found.id) ? [query.trim().toLowerCase()] : matched,
      };
    }),
    confidence,
    verdict: verdictOf(confidence),
  };
}

function without(ids: ReadonlySet<string>, hidden: ReadonlySet<string>): ReadonlySet<string> {
  return hidden.size === 0 ? ids : new Set([...ids].filter((id) => !hidden.has(id)));
}

function matchedWords(
  { concepts, words }: ParsedQuery,
  { terms }: ResolvedQuery,
  { counts }: Reranked,
): readonly string[] {
  const held = terms.filter((_, term) => counts[term] !== 0);
  const matched = new Set(held.flatMap(({ concept }) => concepts[concept]?.words ?? []));
  return words.filter((word) => matched.has(word));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
