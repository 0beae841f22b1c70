import type { Candidate } from "./best-documents.ts";
import { ABOVE_BODY, NAME, NAME_SHIFT } from "./fields.ts";
import { heldCounts } from "./held-counts.ts";
import { holdsPair, pairHash, termHash } from "./pair-filter.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { ResolvedQuery } from "./resolve-terms.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Segment } from "./segment.ts";

/** What the second look sees of a candidate: shares of the query, so that they compare between queries. */
interface Features {
  /** The first look's score, by the weight of the query. */
  readonly bm25f: number;
  /** Of what the query asks, how much is above the body, and how much is anywhere: by weight. */
  readonly weightAbove: number;
  readonly weightAnywhere: number;
  /** How much is above the body by number of words: a common word left out tells as much as a rare one. */
  readonly wordsAbove: number;
  /** Words that stand together in the query and above the body, and in it: by weight. */
  readonly pairsAbove: number;
  readonly pairsBody: number;
  /** How much of the skill's name is in the query. */
  readonly name: number;
}

export type FeatureName = keyof Features;

/**
 * Fitted on the development prompts and rounded, as small changes hardly change the result
 * (docs/search-design.md has the measurements).
 */
export const RERANK: Readonly<Record<FeatureName, number>> = {
  bm25f: 1.5,
  weightAbove: 0.5,
  weightAnywhere: 0.5,
  wordsAbove: 1,
  pairsAbove: 0.5,
  pairsBody: 0.8,
  name: 0.8,
};

const FEATURE_NAMES = Object.keys(RERANK) as readonly FeatureName[];

export interface Reranked extends Candidate {
  readonly features: Features;
  /** By term of the query: how often the document holds it, packed. */
  readonly counts: Uint16Array;
}

export function rerank(
  index: SearchIndex,
  query: ParsedQuery,
  resolved: ResolvedQuery,
  candidates: readonly Candidate[],
): readonly Reranked[] {
  const pairs = queryPairs(query, resolved);
  const counts = heldCounts(index, resolved.terms, candidates);
  const width = resolved.terms.length;
  return candidates.flatMap(({ view, doc, id, score }, candidate) => {
    const segment = index.views[view]?.segment;
    if (segment === undefined) return [];
    const own = counts.subarray(candidate * width, (candidate + 1) * width);
    const features = featuresOf(segment, doc, score / resolved.mass, resolved, own, pairs);
    let sum = 0;
    for (const name of FEATURE_NAMES) sum += RERANK[name] * features[name];
    return [{ view, doc, id, score: sum, features, counts: own }];
  });
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

function featuresOf(
  segment: Segment,
  doc: number,
  bm25f: number,
  { terms, masses, mass, searched }: ResolvedQuery,
  held: Uint16Array,
  pairs: QueryPairs,
): Features {
  let weightAbove = 0;
  let weightAnywhere = 0;
  let wordsAbove = 0;
  let inName = 0;
  for (let from = 0; from < terms.length; ) {
    // The terms of one concept lie together; only the best of them counts.
    const concept = terms[from]?.concept ?? 0;
    let above = 0;
    let anywhere = 0;
    for (let term = terms[from]; term?.concept === concept; term = terms[++from]) {
      const counts = held[from] as number;
      if (counts === 0) continue;
      if (term.share > anywhere) anywhere = term.share;
      if ((counts & ABOVE_BODY) !== 0 && term.share > above) above = term.share;
      if (counts >>> NAME_SHIFT !== 0) inName += term.share;
    }
    const weight = masses[concept] ?? 0;
    weightAbove += above * weight;
    weightAnywhere += anywhere * weight;
    wordsAbove += above;
  }
  return {
    bm25f,
    weightAbove: weightAbove / mass,
    weightAnywhere: weightAnywhere / mass,
    wordsAbove: wordsAbove / searched,
    pairsAbove: pairMass(segment, 2 * doc, pairs) / mass,
    pairsBody: pairMass(segment, 2 * doc + 1, pairs) / mass,
    name: Math.min(inName / Math.max(segment.lengths[NAME]?.[doc] ?? 0, 1), 1),
  };
}

/** The concepts that a document holds. */
export function heldConcepts({ terms }: ResolvedQuery, { counts }: Reranked): ReadonlySet<number> {
  return new Set(terms.flatMap(({ concept }, term) => (counts[term] === 0 ? [] : [concept])));
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
