import type { SearchIndex } from "../index/search-index.ts";
import type { Segment, SegmentView } from "../index/segment.ts";
import { DIMENSIONS } from "../index/segment.ts";
import { similarityAt } from "../meaning/embed.ts";
import { confidenceOf, countFitting, type SearchVerdict, verdictOf } from "./floor.ts";
import { type ParsedQuery, parseQuery, type Synonyms } from "./parse-query.ts";
import { type Reranked, rerank } from "./rerank.ts";
import { type ResolvedQuery, resolveTerms } from "./resolve-terms.ts";
import {
  bestDocuments,
  bestOf,
  byRank,
  namedDocuments,
  queryMeaning,
  roughlyAlike,
  type ScoredDocument,
  scoreDocuments,
  similarityToAll,
} from "./score-documents.ts";

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** Words of the query as typed, in lower case, in query order. */
  readonly matched: readonly string[];
  /** Of those, the words that the document does not have itself, with the terms that it has instead: a correction or a synonym. */
  readonly instead: ReadonlyMap<string, readonly string[]>;
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
  readonly leftOut?: ReadonlySet<string>;
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
  const named = without(options.named ?? NO_IDS, options.leftOut ?? NO_IDS);
  const { ranked, toAll } = rankDocuments(index, parsed, resolved, { ...options, named });
  const called = ranked.filter(({ id }) => named.has(id)).length;
  const fitting = called + countFitting(index, ranked.slice(called), { ...resolved, toAll });
  const resultOf = ({ best, copies }: Group<Reranked>): Ranked => {
    const { matched, instead } = matchedWords(parsed, resolved, best);
    return {
      id: best.id,
      score: rounded(best.score),
      matched: matched.length === 0 && named.has(best.id) ? [query.trim().toLowerCase()] : matched,
      instead,
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
  { limit, named = NO_IDS, leftOut = NO_IDS, byWords = BY_WORDS }: Omit<SearchOptions, "synonyms">,
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
  add(bestDocuments(index, scores, Math.max(byWords, limit), leftOut));
  if (meaning !== undefined) {
    // `leftOut.size` more, because that many of them may be dropped.
    add(bestOf(roughlyAlike(index, meaning, BY_MEANING + leftOut.size), BY_MEANING, leftOut));
  }
  const ranked = rerank(index, parsed, resolved, [...candidates.values()], meaning)
    .map((found) => (named.has(found.id) ? { ...found, score: found.score + NAMED } : found))
    .sort(byRank);
  return { ranked, toAll: similarityToAll(index, meaning) };
}

function without(ids: ReadonlySet<string>, leftOut: ReadonlySet<string>): ReadonlySet<string> {
  return leftOut.size === 0 ? ids : new Set([...ids].filter((id) => !leftOut.has(id)));
}

function matchedWords(
  { concepts, words }: ParsedQuery,
  { terms }: ResolvedQuery,
  { counts }: Reranked,
): Pick<Ranked, "matched" | "instead"> {
  const own = new Set<string>();
  const others = new Map<string, string[]>();
  for (const [at, { concept, term }] of terms.entries()) {
    const meant = counts[at] === 0 ? undefined : concepts[concept];
    for (const word of meant?.words ?? []) {
      if (term === meant?.term) own.add(word);
      else others.set(word, [...(others.get(word) ?? []), term]);
    }
  }
  return {
    matched: words.filter((word) => own.has(word) || others.has(word)),
    instead: new Map([...others].filter(([word]) => !own.has(word))),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A document, and those that are copies or forks of it. */
interface Group<Document extends ScoredDocument> {
  readonly best: Document;
  readonly copies: readonly Document[];
}

/** How alike texts are that differ by a few words: rounding alone takes a hundredth. */
const SAME_HEAD = 0.96;
const SAME_PASSAGE = 0.93;
/** Shorter texts are alike by chance, and each may be all that its author had to say. */
const LEAST_TERMS = 40;
/** How much longer one body may be. */
const SAME_LENGTH = 0.9;

/** The first `most` documents that are not copies of a better one, each with its copies. `ranked` is best first. */
export function groupCopies<Document extends ScoredDocument>(
  index: SearchIndex,
  ranked: readonly Document[],
  most: number,
): readonly Group<Document>[] {
  const groups: { best: Document; copies: Document[] }[] = [];
  for (const document of ranked) {
    const group = groups.find(({ best }) => isCopy(index, best, document));
    if (group !== undefined) group.copies.push(document);
    else if (groups.length === most) break;
    else groups.push({ best: document, copies: [] });
  }
  return groups;
}

/** The best document that is neither the first nor a copy of it. */
export function firstOther<Document extends ScoredDocument>(
  index: SearchIndex,
  [first, ...others]: readonly Document[],
): Document | undefined {
  return first && others.find((other) => !isCopy(index, first, other));
}

function isCopy({ views }: SearchIndex, one: ScoredDocument, other: ScoredDocument): boolean {
  const first = (views[one.view] as SegmentView).segment;
  const second = (views[other.view] as SegmentView).segment;
  if (termsOf(first, one.doc) < LEAST_TERMS || termsOf(second, other.doc) < LEAST_TERMS) return false;
  // Words that no table knows have no meaning to compare: an exact copy is one in any language.
  if (isExactCopy(first, one.doc, second, other.doc)) return true;
  return first.heads.length > 0 && isNearCopy(first, one.doc, second, other.doc);
}

function termsOf({ lengths }: Segment, doc: number): number {
  return lengths.reduce((sum, field) => sum + (field[doc] ?? 0), 0);
}

/** As long in every field, with the same pairs of words. */
function isExactCopy(first: Segment, one: number, second: Segment, other: number): boolean {
  if (first.lengths.some((lengths, field) => lengths[one] !== second.lengths[field]?.[other])) return false;
  const pairs = pairsOf(first, one);
  const others = pairsOf(second, other);
  return pairs.length === others.length && pairs.every((byte, at) => byte === others[at]);
}

function pairsOf({ pairStarts, pairs }: Segment, doc: number): Uint8Array {
  return pairs.subarray(pairStarts[2 * doc], pairStarts[2 * doc + 2]);
}

/** Whether two documents are nearly equal above the body, and passage by passage in it. */
function isNearCopy(first: Segment, one: number, second: Segment, other: number): boolean {
  if (similarity(first.heads, one, second.heads, other) < SAME_HEAD) return false;
  const start = first.passageStarts[one] as number;
  const otherStart = second.passageStarts[other] as number;
  const count = (first.passageStarts[one + 1] as number) - start;
  const otherCount = (second.passageStarts[other + 1] as number) - otherStart;
  const shorter = Math.min(count, otherCount);
  const longer = Math.max(count, otherCount);
  if (shorter < SAME_LENGTH * longer) return false;
  for (let at = 0; at < shorter; at++) {
    if (similarity(first.passages, start + at, second.passages, otherStart + at) < SAME_PASSAGE) return false;
  }
  return true;
}

function similarity(vectors: Int8Array, number: number, others: Int8Array, other: number): number {
  const from = other * DIMENSIONS;
  return similarityAt(vectors, number * DIMENSIONS, others.subarray(from, from + DIMENSIONS));
}
