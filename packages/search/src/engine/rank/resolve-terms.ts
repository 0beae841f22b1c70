import { editDistance } from "#util/pure";
import type { SearchIndex } from "../index/search-index.ts";
import {
  findTerm,
  firstTermFrom,
  liveCount,
  type PostingRange,
  postingsAt,
  type TermTable,
  termAt,
} from "../index/segment.ts";
import type { Alternative, ParsedQuery } from "./parse-query.ts";

/** A term of the query that the index knows. */
export interface QueryTerm {
  readonly term: string;
  /** The number of its concept in the query. */
  readonly concept: number;
  /** Its share of the concept's weight: 1 for the word itself. */
  readonly share: number;
  /** What a perfect match adds to the score. */
  readonly weight: number;
  /** False for a word so common that reading its postings costs more than it tells; reranking still sees it. */
  readonly scored: boolean;
  /** By segment; null where the segment does not contain it. */
  readonly ranges: readonly (PostingRange | null)[];
}

export interface ResolvedQuery {
  /** By concept, then by term: so that sums do not depend on how the index was built. */
  readonly terms: readonly QueryTerm[];
  /** By concept: its weight times its rarity; 0 for what is not searched. */
  readonly masses: readonly number[];
  /** What the whole query weighs, unknown words included. */
  readonly mass: number;
  /** How many concepts are searched. */
  readonly searched: number;
}

/** Beyond these the rest of a long query adds cost, not meaning. */
const MOST_CONCEPTS = 64;
export const MOST_CORRECTIONS = 8;
const CORRECTED_SHARE = 0.7;

/** In a large index, a word in more than half of the documents is skipped, unless it is the only one. */
const LARGE_INDEX = 1000;
const COMMON = 0.5;

interface Occurrence {
  readonly count: number;
  readonly ranges: readonly (PostingRange | null)[];
  readonly idf: number;
}

export function resolveTerms(index: SearchIndex, query: ParsedQuery): ResolvedQuery {
  const unknownIdf = inverseFrequency(index.size, 0);
  let corrections = 0;
  const found = query.concepts.map((concept, number) => {
    // Each repetition of a word adds less weight.
    const weight = Math.sqrt(concept.weight);
    let alternatives = lookUpAll(index, [{ term: concept.term, share: 1 }, ...concept.others]);
    if (alternatives.length === 0 && corrections < MOST_CORRECTIONS && canCorrect(concept.term)) {
      corrections++;
      const corrected = correctTerm(index, concept.term);
      if (corrected !== null) alternatives = lookUpAll(index, [{ term: corrected, share: CORRECTED_SHARE }]);
    }
    const own = alternatives.find(({ term }) => term === concept.term) ?? alternatives[0];
    return { number, alternatives, weight, mass: weight * (own?.idf ?? unknownIdf) };
  });

  const searched = found
    .filter(({ alternatives }) => alternatives.length > 0)
    .sort((a, b) => b.mass - a.mass || a.number - b.number)
    .slice(0, MOST_CONCEPTS);
  const isCommon = ({ count }: Occurrence): boolean =>
    index.size >= LARGE_INDEX && count > COMMON * index.size;
  const allCommon = searched.every(({ alternatives }) => alternatives.every(isCommon));
  const masses = found.map(() => 0);
  const terms = new Map<string, QueryTerm>();
  for (const { number, alternatives, weight, mass } of searched) {
    masses[number] = mass;
    for (const alternative of alternatives) {
      const { term, share, idf, ranges } = alternative;
      const scored = allCommon || !isCommon(alternative);
      const candidate = { term, concept: number, share, weight: weight * share * idf, scored, ranges };
      // A term of two concepts counts once, where it weighs most.
      if ((terms.get(term)?.weight ?? 0) < candidate.weight) terms.set(term, candidate);
    }
  }
  return {
    terms: [...terms.values()].sort((a, b) => a.concept - b.concept || (a.term < b.term ? -1 : 1)),
    masses,
    mass: found.reduce((sum, { mass }) => sum + mass, 0),
    searched: searched.length,
  };
}

function lookUpAll(
  index: SearchIndex,
  wanted: readonly Alternative[],
): readonly (Alternative & Occurrence)[] {
  return wanted.flatMap((alternative) => {
    const { term } = alternative;
    let count = 0;
    const ranges = index.views.map((view) => {
      const number = findTerm(view.segment.terms, term);
      if (number === -1) return null;
      const range = postingsAt(view.segment, number);
      count += liveCount(view, range);
      return range;
    });
    return count === 0 ? [] : [{ ...alternative, count, ranges, idf: inverseFrequency(index.size, count) }];
  });
}

/**
 * The rarity of a term as BM25 has it, never negative. Rounded to a fraction of 2^20, because the last bits of a logarithm
 * differ between versions of V8, and equal skills and tasks have equal answers everywhere.
 */
function inverseFrequency(size: number, count: number): number {
  return Math.round(Math.log(1 + (size - count + 0.5) / (count + 0.5)) * 2 ** 20) / 2 ** 20;
}

/** Short words are one edit from too many others; only plain letters are corrected. */
export function canCorrect(term: string): boolean {
  return /^[a-z]{4,24}$/.test(term);
}

/**
 * The known term that an unknown one was most likely meant to be, or null: nearest first, then the most frequent,
 * then by spelling. A longer word may have two mistakes; the first letter is rarely one of them,
 * and without it every term would be a candidate.
 */
export function correctTerm(index: SearchIndex, unknown: string): string | null {
  const limit = unknown.length >= 8 ? 2 : 1;
  const found = new Map<string, { readonly distance: number; count: number }>();
  for (const view of index.views) {
    const { terms } = view.segment;
    for (const number of similarTerms(terms, unknown, limit)) {
      const term = termAt(terms, number);
      const distance = found.get(term)?.distance ?? editDistance(unknown, term, limit);
      if (distance > limit) continue;
      const count = liveCount(view, postingsAt(view.segment, number));
      if (count > 0) found.set(term, { distance, count: count + (found.get(term)?.count ?? 0) });
    }
  }
  const [best] = [...found].sort(
    ([a, left], [b, right]) => left.distance - right.distance || right.count - left.count || (a < b ? -1 : 1),
  );
  return best?.[0] ?? null;
}

/**
 * Terms of the same first letter whose letters differ by at most what `limit` edits can change: a cheap test before the
 * exact one.
 */
function similarTerms(table: TermTable, unknown: string, limit: number): readonly number[] {
  const { text, starts } = table;
  const wanted = lettersIn(unknown, 0, unknown.length);
  const similar: number[] = [];
  const first = unknown.charCodeAt(0);
  const end = firstTermFrom(table, String.fromCharCode(first + 1));
  for (let number = firstTermFrom(table, String.fromCharCode(first)); number < end; number++) {
    const from = starts[number] ?? 0;
    const to = starts[number + 1] ?? 0;
    if (Math.abs(to - from - unknown.length) > limit) continue;
    if (bitCount(wanted ^ lettersIn(text, from, to)) <= 2 * limit) similar.push(number);
  }
  return similar;
}

/** One bit for each of a–z that the text contains; other characters share the rest. */
function lettersIn(text: string, from: number, to: number): number {
  let letters = 0;
  for (let at = from; at < to; at++) letters |= 1 << Math.min(Math.abs(text.charCodeAt(at) - 97), 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
