import type { Candidate } from "./best-documents.ts";
import { ABOVE_BODY, NAME, NAME_SHIFT } from "./fields.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { QueryTerm, ResolvedQuery } from "./resolve-terms.ts";
import type { SearchIndex } from "./search-index.ts";
import { pairHash, type Segment, termHash } from "./segment.ts";
import { lowerBound } from "./term-table.ts";

/** What the second look sees of a candidate. All but `hits` are shares of the query's mass, comparable between queries. */
export interface Features {
  readonly bm25f: number;
  /** Of what the query asks, how much is above the body. */
  readonly coverage: number;
  readonly bodyCoverage: number;
  /** Neighbouring words of the query that are neighbours above the body, and in it. */
  readonly pairs: number;
  readonly bodyPairs: number;
  /** How much of the query is in the name, times how much of the name is in the query. */
  readonly nameHit: number;
  readonly namePart: number;
  /** By concept: 1 when the document holds it. */
  readonly hits: Uint8Array;
}

export const RERANK = {
  bm25f: 1,
  coverage: 0.3,
  bodyCoverage: 0,
  pairs: 0.3,
  bodyPairs: 0.3,
  nameHit: 0.5,
  namePart: 0,
};

export interface Reranked extends Candidate {
  readonly features: Features;
}

export function rerank(
  index: SearchIndex,
  query: ParsedQuery,
  resolved: ResolvedQuery,
  candidates: readonly Candidate[],
): readonly Reranked[] {
  const pairs = queryPairs(query, resolved);
  return candidates.map((candidate) => {
    const features = featuresOf(index, resolved, pairs, candidate);
    return { ...candidate, features, score: finalScore(features) };
  });
}

export function finalScore(features: Features): number {
  let sum = 0;
  for (const key of FEATURE_NAMES) sum += RERANK[key] * features[key];
  return sum;
}

const FEATURE_NAMES = [
  "bm25f",
  "coverage",
  "bodyCoverage",
  "pairs",
  "bodyPairs",
  "nameHit",
  "namePart",
] as const;

interface QueryPairs {
  /** By hash: the mass of the pair; 0 for what the query does not hold. */
  readonly masses: Float64Array;
  readonly total: number;
}

function queryPairs({ concepts, pairs }: ParsedQuery, { masses }: ResolvedQuery): QueryPairs {
  const byHash = new Float64Array(0x10000);
  let total = 0;
  const hashes = concepts.map(({ term }) => termHash(term));
  for (const [first, second] of pairs) {
    const mass = ((masses[first] ?? 0) + (masses[second] ?? 0)) / 2;
    if ((masses[first] ?? 0) === 0 || (masses[second] ?? 0) === 0) continue;
    byHash[pairHash(hashes[first] ?? 0, hashes[second] ?? 0)] = mass;
    total += mass;
  }
  return { masses: byHash, total };
}

function featuresOf(
  index: SearchIndex,
  { terms, masses, mass }: ResolvedQuery,
  pairs: QueryPairs,
  { view, doc, score }: Candidate,
): Features {
  const segment = index.views[view]?.segment;
  const hits = new Uint8Array(masses.length);
  const empty = {
    bm25f: 0,
    coverage: 0,
    bodyCoverage: 0,
    pairs: 0,
    bodyPairs: 0,
    nameHit: 0,
    namePart: 0,
    hits,
  };
  if (segment === undefined || mass === 0) return empty;
  const above = new Float64Array(masses.length);
  const anywhere = new Float64Array(masses.length);
  let nameMass = 0;
  let nameTerms = 0;
  for (const term of terms) {
    const counts = countsIn(segment, term, view, doc);
    if (counts === 0) continue;
    const { concept, share } = term;
    hits[concept] = 1;
    anywhere[concept] = Math.max(anywhere[concept] ?? 0, share);
    if ((counts & ABOVE_BODY) !== 0) above[concept] = Math.max(above[concept] ?? 0, share);
    if (counts >>> NAME_SHIFT !== 0) {
      nameMass += share * (masses[concept] ?? 0);
      nameTerms += share;
    }
  }
  let coverage = 0;
  let bodyCoverage = 0;
  for (let concept = 0; concept < masses.length; concept++) {
    coverage += (above[concept] ?? 0) * (masses[concept] ?? 0);
    bodyCoverage += (anywhere[concept] ?? 0) * (masses[concept] ?? 0);
  }
  const namePart = Math.min(nameTerms / Math.max(segment.lengths[NAME]?.[doc] ?? 1, 1), 1);
  return {
    bm25f: score / mass,
    coverage: coverage / mass,
    bodyCoverage: bodyCoverage / mass,
    pairs: pairMass(segment, 2 * doc, pairs) / mass,
    bodyPairs: pairMass(segment, 2 * doc + 1, pairs) / mass,
    nameHit: (nameMass / mass) * namePart,
    namePart,
    hits,
  };
}

function countsIn(segment: Segment, { ranges }: QueryTerm, view: number, doc: number): number {
  const range = ranges[view];
  if (range === null || range === undefined) return 0;
  const at = lowerBound(segment.postingDocs, doc, range.start, range.end);
  return at < range.end && segment.postingDocs[at] === doc ? (segment.postingCounts[at] ?? 0) : 0;
}

/** Each pair of the query counts once, however often the text repeats it. */
function pairMass({ pairStarts, pairs }: Segment, part: number, { masses, total }: QueryPairs): number {
  if (total === 0) return 0;
  const end = pairStarts[part + 1] ?? 0;
  let sum = 0;
  const seen: number[] = [];
  for (let at = pairStarts[part] ?? 0; at < end; at++) {
    const pair = pairs[at] ?? 0;
    const mass = masses[pair] ?? 0;
    if (mass === 0 || seen.includes(pair)) continue;
    seen.push(pair);
    sum += mass;
  }
  return sum;
}
