import { ABOVE_BODY, NAME, NAME_SHIFT } from "../index/fields.ts";
import { holdsPair, pairHash, termHash } from "../index/pair-filter.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { countsIn, type Segment, type SegmentView } from "../index/segment.ts";
import type { Candidate } from "./best-documents.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { QueryTerm, ResolvedQuery } from "./resolve-terms.ts";

/**
 * What reranking weighs: shares of the query, so that scores of different queries can be compared. Fitted on the
 * development prompts and rounded, as small changes hardly change the result (docs/search-design.md has the measurements).
 */
export const RERANK = {
  /** The BM25F score, divided by the weight of the query. */
  bm25f: 1.5,
  /** Of what the query asks, how much is above the body, and how much is anywhere: by weight. */
  weightAbove: 0.5,
  weightAnywhere: 0.5,
  /** How much is above the body by number of words: a common word left out tells as much as a rare one. */
  wordsAbove: 1,
  /** Words that are adjacent in the query and above the body, and in it: by weight. */
  pairsAbove: 0.5,
  pairsBody: 0.8,
  /** How much of the skill's name is in the query. */
  name: 0.8,
};

export interface Reranked extends Candidate {
  /** Of what the query asks, how much the document contains: by weight. */
  readonly coverage: number;
  /** By term of the query: how often the document contains it, packed as `fields.ts` says. */
  readonly counts: Uint16Array;
}

/** The candidates with their new scores, in their old order. */
export function rerank(
  index: SearchIndex,
  query: ParsedQuery,
  resolved: ResolvedQuery,
  candidates: readonly Candidate[],
): readonly Reranked[] {
  const pairs = queryPairs(query, resolved);
  // A query without a word that counts weighs nothing, and can still be a skill's name.
  const weighed = { ...resolved, mass: resolved.mass || 1, searched: resolved.searched || 1 };
  const counts = countsOf(index, resolved.terms, candidates);
  return candidates.map((candidate, number) => {
    const { segment } = index.views[candidate.view] as SegmentView;
    return weigh(segment, candidate, weighed, counts[number] as Uint16Array, pairs);
  });
}

/** By candidate, then by term. Term by term, because the postings of one are neighbours in memory. */
function countsOf(
  { views }: SearchIndex,
  terms: readonly QueryTerm[],
  candidates: readonly Candidate[],
): readonly Uint16Array[] {
  const counts = candidates.map(() => new Uint16Array(terms.length));
  for (const [term, { ranges }] of terms.entries()) {
    for (const [number, { view, doc }] of candidates.entries()) {
      const range = ranges[view];
      const { segment } = views[view] as SegmentView;
      if (range != null) (counts[number] as Uint16Array)[term] = countsIn(segment, range, doc);
    }
  }
  return counts;
}

/** Of which the index knows both words. */
interface QueryPairs {
  readonly hashes: Int32Array;
  readonly masses: Float64Array;
}

/** A pair weighs as much as one of its words. */
function queryPairs({ concepts, pairs }: ParsedQuery, { masses }: ResolvedQuery): QueryPairs {
  const byHash = new Map<number, number>();
  const hashes = concepts.map(({ term }) => termHash(term));
  for (const [first, second] of pairs) {
    const one = masses[first] ?? 0;
    const two = masses[second] ?? 0;
    if (one > 0 && two > 0) byHash.set(pairHash(hashes[first] ?? 0, hashes[second] ?? 0), (one + two) / 2);
  }
  return { hashes: Int32Array.from(byHash.keys()), masses: Float64Array.from(byHash.values()) };
}

function weigh(
  segment: Segment,
  { view, doc, id, score: bm25f }: Candidate,
  { terms, masses, mass, searched }: ResolvedQuery,
  counts: Uint16Array,
  pairs: QueryPairs,
): Reranked {
  let weightAbove = 0;
  let weightAnywhere = 0;
  let wordsAbove = 0;
  let inName = 0;
  for (let from = 0; from < terms.length; ) {
    // The terms of one concept are neighbours; only the best of them counts.
    const concept = terms[from]?.concept ?? 0;
    let above = 0;
    let anywhere = 0;
    for (let term = terms[from]; term?.concept === concept; term = terms[++from]) {
      const packed = counts[from] as number;
      if (packed === 0) continue;
      if (term.share > anywhere) anywhere = term.share;
      if ((packed & ABOVE_BODY) !== 0 && term.share > above) above = term.share;
      if (packed >>> NAME_SHIFT !== 0) inName += term.share;
    }
    const weight = masses[concept] ?? 0;
    weightAbove += above * weight;
    weightAnywhere += anywhere * weight;
    wordsAbove += above;
  }
  const coverage = weightAnywhere / mass;
  const score =
    RERANK.bm25f * (bm25f / mass) +
    RERANK.weightAbove * (weightAbove / mass) +
    RERANK.weightAnywhere * coverage +
    RERANK.wordsAbove * (wordsAbove / searched) +
    RERANK.pairsAbove * (pairMass(segment, 2 * doc, pairs) / mass) +
    RERANK.pairsBody * (pairMass(segment, 2 * doc + 1, pairs) / mass) +
    RERANK.name * Math.min(inName / Math.max(segment.lengths[NAME]?.[doc] ?? 0, 1), 1);
  return { view, doc, id, score, coverage, counts };
}

function pairMass({ pairStarts, pairs }: Segment, part: number, wanted: QueryPairs): number {
  const { hashes, masses } = wanted;
  const start = pairStarts[part] ?? 0;
  const end = pairStarts[part + 1] ?? 0;
  let sum = 0;
  for (let pair = 0; pair < hashes.length; pair++) {
    if (holdsPair(pairs, start, end, hashes[pair] as number)) sum += masses[pair] as number;
  }
  return sum;
}
