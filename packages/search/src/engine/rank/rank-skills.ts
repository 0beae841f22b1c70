import type { SearchIndex } from "../index/search-index.ts";
import { confidenceOf, type SearchVerdict, verdictOf } from "./confidence.ts";
import { firstOther, type Group, groupCopies } from "./copies.ts";
import { countFitting } from "./floor.ts";
import { type ParsedQuery, parseQuery, type Synonyms } from "./parse-query.ts";
import { queryMeaning, roughlyAlike, similarityToAll } from "./query-meaning.ts";
import { type Reranked, rerank } from "./rerank.ts";
import { type ResolvedQuery, resolveTerms } from "./resolve-terms.ts";
import {
  bestDocuments,
  bestOf,
  byRank,
  namedDocuments,
  type ScoredDocument,
  scoreDocuments,
} from "./score-documents.ts";

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** Words of the query as typed, in lower case, in query order. */
  readonly matched: readonly string[];
  /** The ids of copies and forks of it, which are no results of their own. */
  readonly copies: readonly string[];
}

export interface RankedAnswer {
  /** How many documents fit. */
  readonly total: number;
  /** The skills that fit, best first, at most `limit`; empty when none fits. */
  readonly results: readonly Ranked[];
  /** When none fits: the nearest three, best first. */
  readonly nearest: readonly Ranked[];
  /** 0 to 1: how probable it is that the first result is right. */
  readonly confidence: number;
  /** `no_match` when nothing fits. */
  readonly verdict: SearchVerdict;
}

export interface SearchOptions {
  readonly limit: number;
  /** A word or phrase in lower case → what else it may be called. */
  readonly synonyms?: Synonyms;
  /** The ids of the skills whose name is the whole query: they come first, even if every word of it is a stop word. */
  readonly named?: ReadonlySet<string>;
  /** The ids of skills that are not to be found. */
  readonly hidden?: ReadonlySet<string>;
  /** How many of the best by words are reranked at least: fewer take less time, and more of the right answers are missed. */
  readonly byWords?: number;
}

const NO_IDS: ReadonlySet<string> = new Set();
/** Far more than any score that words can earn. */
const NAMED = 10;

/** How many of the best by words, and of the best by meaning, are reranked: few correct answers rank lower in both. */
const BY_WORDS = 60;
const BY_MEANING = 30;

const MOST_NEAREST = 3;

export function searchIndex(index: SearchIndex, query: string, options: SearchOptions): RankedAnswer {
  const parsed = parseQuery(query, options.synonyms);
  const resolved = resolveTerms(index, parsed);
  const named = without(options.named ?? NO_IDS, options.hidden ?? NO_IDS);
  const { ranked, toAll } = rankDocuments(index, parsed, resolved, { ...options, named });
  const called = ranked.filter(({ id }) => named.has(id)).length;
  const fitting = called + countFitting(index, ranked.slice(called), { mass: resolved.mass, toAll });
  const resultOf = ({ best, copies }: Group<Reranked>): Ranked => {
    const matched = matchedWords(parsed, resolved, best);
    return {
      id: best.id,
      score: rounded(best.score),
      matched: matched.length === 0 && named.has(best.id) ? [query.trim().toLowerCase()] : matched,
      copies: copies.map(({ id }) => id),
    };
  };
  const first = (from: number, to: number, most: number): readonly Ranked[] =>
    groupCopies(index, ranked.slice(from, to), most).map(resultOf);
  // Skills that the query names differ by name, so they are not grouped as copies.
  const byName = ranked
    .slice(0, Math.min(called, options.limit))
    .map((best) => resultOf({ best, copies: [] }));
  // A copy in second place raises no doubt: it is shown with the first.
  const next = firstOther(index, ranked);
  const confidence = fitting === 0 ? 0 : rounded(confidenceOf(ranked[0], next, resolved.searched, called));
  return {
    total: fitting,
    results: [...byName, ...first(called, fitting, options.limit - byName.length)],
    nearest: fitting === 0 ? first(0, ranked.length, MOST_NEAREST) : [],
    confidence,
    verdict: verdictOf(confidence, fitting > 0),
  };
}

interface RankedDocuments {
  /** The best documents by words and by meaning, best first. Those that the query names come before all others. */
  readonly ranked: readonly Reranked[];
  /** How alike the query is to all documents on average. */
  readonly toAll: number;
}

export function rankDocuments(
  index: SearchIndex,
  parsed: ParsedQuery,
  resolved: ResolvedQuery,
  { limit, named = NO_IDS, hidden = NO_IDS, byWords = BY_WORDS }: Omit<SearchOptions, "synonyms">,
): RankedDocuments {
  const scores = scoreDocuments(index, resolved.terms);
  const meaning = queryMeaning(index, parsed, resolved);
  const candidates = new Map<string, ScoredDocument>();
  const add = (found: readonly ScoredDocument[]): void => {
    for (const { id, view, doc } of found) {
      if (!candidates.has(id)) candidates.set(id, { id, view, doc, score: scores[view]?.[doc] ?? 0 });
    }
  };
  add(namedDocuments(index, scores, named));
  add(bestDocuments(index, scores, Math.max(byWords, limit), hidden));
  if (meaning !== undefined) {
    // `hidden.size` more, because that many of them may be dropped.
    add(bestOf(roughlyAlike(index, meaning, BY_MEANING + hidden.size), BY_MEANING, hidden));
  }
  const ranked = rerank(index, parsed, resolved, [...candidates.values()], meaning)
    .map((found) => (named.has(found.id) ? { ...found, score: found.score + NAMED } : found))
    .sort(byRank);
  return { ranked, toAll: similarityToAll(index, meaning) };
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
