import { ABOVE_BODY, BODY_MASK, IN_DESCRIPTION, type Lengths, NAME_SHIFT } from "../index/build-segment.ts";
import type { SearchIndex } from "../index/search-index.ts";
import {
  DIMENSIONS,
  firstPosting,
  holdsPair,
  type PostingRange,
  pairHash,
  type Segment,
  type SegmentView,
  termHash,
} from "../index/segment.ts";
import { similarityAt } from "../meaning/embed.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { QueryTerm, ResolvedQuery } from "./resolve-terms.ts";
import { byRank, type ScoredDocument } from "./score-documents.ts";

/**
 * What reranking weighs: shares, so that scores of different queries can be compared. Fitted on the development prompts,
 * cross-validated over skills, and rounded (docs/explanation/search.md has the measurements).
 */
export const RERANK = {
  /** The BM25F score, divided by the weight of the query. */
  bm25f: 1.05,
  /** The share of the query, by weight, that is anywhere in the document. */
  weightAnywhere: 1.7,
  /** How much is above the body by number of words: a common word left out tells as much as a rare one. */
  wordsAbove: 0.4,
  /** Words that are adjacent in the query and above the body, and in it: by weight. */
  pairsAbove: 0.6,
  pairsBody: 1.25,
  /** How much of the skill's name is in the query, and how much of its description. */
  name: 1,
  description: 1.6,
  /** A long description says when to use a skill; a long body matches by chance. */
  descriptionLength: 1.9,
  bodyLength: -0.75,
};

/** What meaning weighs, where no word matches; less, the more the words of the best skill match. */
const MEANING = { head: 5.5, passage: 5, halfAt: 0.45 };

/** The lengths, in terms, at which the length of a text counts half. */
const HALF_LENGTH = { description: 40, body: 200 };

export interface Reranked extends ScoredDocument {
  /** What the words of the query say for the document. */
  readonly lexical: number;
  /** How alike the query and what is above the body are; and the query and the most similar passage of the body. */
  readonly head: number;
  readonly passage: number;
  /** The share of the query, by weight, that the document contains. */
  readonly coverage: number;
  /** By term of the query: how often the document contains it, packed as `fields.ts` says. */
  readonly counts: Uint16Array;
}

/** How many of the candidates are compared passage by passage. */
const MOST_WITH_PASSAGES = 32;

/** What is weighed one after the other. */
type RerankDraft = Omit<Reranked, "score" | "passage"> & { score: number; passage: number };

/** The candidates with their new scores, in any order. */
export function rerank(
  index: SearchIndex,
  query: ParsedQuery,
  resolved: ResolvedQuery,
  candidates: readonly ScoredDocument[],
  meaning: Int8Array | undefined,
): readonly Reranked[] {
  const pairs = queryPairs(query, resolved);
  const weights = termWeights(resolved);
  const counts = countsOf(index, resolved.terms, candidates);
  const found = candidates.map((candidate, number) => {
    const { segment } = index.views[candidate.view] as SegmentView;
    const head = meaning === undefined ? 0 : similarityAt(segment.heads, candidate.doc * DIMENSIONS, meaning);
    return weigh(segment, candidate, weights, counts[number] as Uint16Array, pairs, head);
  });
  if (meaning === undefined) return found;
  const best = found.reduce((most, { lexical }) => Math.max(most, lexical), 0);
  const trust = 1 / (MEANING.halfAt + best);
  for (const one of found) one.score += trust * MEANING.head * one.head;
  // Passages are most of the vectors: only where they can decide something are they compared.
  for (const one of found.sort(byRank).slice(0, MOST_WITH_PASSAGES)) {
    const { segment } = index.views[one.view] as SegmentView;
    one.passage = passageSimilarity(segment, one.doc, meaning);
    one.score += trust * MEANING.passage * one.passage;
  }
  return found;
}

/** How alike the query and the most similar passage of the body are. */
function passageSimilarity({ passageStarts, passages }: Segment, doc: number, meaning: Int8Array): number {
  let best = 0;
  const end = passageStarts[doc + 1] as number;
  for (let number = passageStarts[doc] as number; number < end; number++) {
    const similarity = similarityAt(passages, number * DIMENSIONS, meaning);
    if (similarity > best) best = similarity;
  }
  return best;
}

/** By candidate, then by term. Term by term, because the postings of one are neighbours in memory. */
function countsOf(
  { views }: SearchIndex,
  terms: readonly QueryTerm[],
  candidates: readonly ScoredDocument[],
): readonly Uint16Array[] {
  const all = new Uint16Array(candidates.length * terms.length);
  for (const [view, { segment }] of views.entries()) {
    /** By document: where the counts of the candidate begin, and 1 more. */
    const starts = new Uint32Array(segment.ids.length);
    const docs: number[] = [];
    for (const [number, candidate] of candidates.entries()) {
      if (candidate.view !== view) continue;
      starts[candidate.doc] = number * terms.length + 1;
      docs.push(candidate.doc);
    }
    docs.sort((one, other) => one - other);
    for (const [term, { ranges }] of terms.entries()) {
      const range = ranges[view];
      if (range == null) continue;
      if (range.end - range.start > FEW_POSTINGS * docs.length) {
        lookUpCounts(all, segment, range, docs, starts, term);
      } else {
        readCounts(all, segment, range, starts, term);
      }
    }
  }
  return candidates.map((_, number) => all.subarray(number * terms.length, (number + 1) * terms.length));
}

/** For each candidate: up to so many are read faster one after the other than looked up. */
const FEW_POSTINGS = 32;

function readCounts(
  all: Uint16Array,
  { postingDocs, postingCounts }: Segment,
  { start, end }: PostingRange,
  starts: Uint32Array,
  term: number,
): void {
  for (let at = start; at < end; at++) {
    const place = starts[postingDocs[at] as number] as number;
    if (place !== 0) all[place - 1 + term] = postingCounts[at] as number;
  }
}

/** `docs` rise, so that each is looked for behind the one before. */
function lookUpCounts(
  all: Uint16Array,
  segment: Segment,
  { start, end }: PostingRange,
  docs: readonly number[],
  starts: Uint32Array,
  term: number,
): void {
  let from = start;
  for (const doc of docs) {
    from = firstPosting(segment, from, end, doc);
    if (from < end && segment.postingDocs[from] === doc) {
      all[(starts[doc] as number) - 1 + term] = segment.postingCounts[from] as number;
    }
  }
}

/** Words that are adjacent in the query, where the index knows both. */
interface QueryPair {
  readonly hash: number;
  readonly mass: number;
  /** The numbers of its words among the terms. */
  readonly first: number;
  readonly second: number;
}

/** A pair weighs as much as one of its words. */
function queryPairs(
  { concepts, pairs }: ParsedQuery,
  { terms, masses }: ResolvedQuery,
): readonly QueryPair[] {
  const numbers = new Map(terms.map(({ term }, number) => [term, number]));
  const hashes = concepts.map(({ term }) => termHash(term));
  const byHash = new Map<number, QueryPair>();
  for (const [one, other] of pairs) {
    const first = numbers.get(concepts[one]?.term ?? "");
    const second = numbers.get(concepts[other]?.term ?? "");
    const mass = ((masses[one] ?? 0) + (masses[other] ?? 0)) / 2;
    if (first === undefined || second === undefined || !masses[one] || !masses[other]) continue;
    const hash = pairHash(hashes[one] ?? 0, hashes[other] ?? 0);
    byHash.set(hash, { hash, mass, first, second });
  }
  return [...byHash.values()];
}

/** What every candidate is weighed by: numbers side by side, because there are many candidates. */
interface TermWeights {
  /** By term: its concept, and its share of the concept's weight. The terms of one concept are neighbours. */
  readonly concepts: Int32Array;
  readonly shares: Float64Array;
  /** By concept. */
  readonly masses: readonly number[];
  readonly mass: number;
  readonly searched: number;
}

function termWeights({ terms, masses, mass, searched }: ResolvedQuery): TermWeights {
  const concepts = new Int32Array(terms.length);
  const shares = new Float64Array(terms.length);
  for (const [number, { concept, share }] of terms.entries()) {
    concepts[number] = concept;
    shares[number] = share;
  }
  return {
    ...{ concepts, shares, masses },
    // A query without a word that counts weighs nothing, and can still be a skill's name.
    mass: mass || 1,
    searched: searched || 1,
  };
}

function weigh(
  segment: Segment,
  { view, doc, id, score: bm25f }: ScoredDocument,
  { concepts, shares, masses, mass, searched }: TermWeights,
  counts: Uint16Array,
  pairs: readonly QueryPair[],
  head: number,
): RerankDraft {
  let weightAnywhere = 0;
  let wordsAbove = 0;
  let inName = 0;
  let inDescription = 0;
  for (let term = 0; term < concepts.length; ) {
    // Only the best term of a concept counts.
    const concept = concepts[term] as number;
    let above = 0;
    let anywhere = 0;
    for (; concepts[term] === concept; term++) {
      const packed = counts[term] as number;
      if (packed === 0) continue;
      const share = shares[term] as number;
      if (share > anywhere) anywhere = share;
      if ((packed & ABOVE_BODY) !== 0 && share > above) above = share;
      if (packed >>> NAME_SHIFT !== 0) inName += share;
      if ((packed & IN_DESCRIPTION) !== 0) inDescription += share;
    }
    if (anywhere === 0) continue;
    weightAnywhere += anywhere * (masses[concept] ?? 0);
    wordsAbove += above;
  }
  const coverage = weightAnywhere / mass;
  const [names, descriptions, , , bodies] = segment.lengths as Lengths;
  const descriptionLength = descriptions[doc] as number;
  const bodyLength = bodies[doc] as number;
  const pairMasses = pairMassesOf(segment, doc, pairs, counts);
  const lexical =
    RERANK.bm25f * (bm25f / mass) +
    RERANK.weightAnywhere * coverage +
    RERANK.wordsAbove * (wordsAbove / searched) +
    RERANK.pairsAbove * (pairMasses.above / mass) +
    RERANK.pairsBody * (pairMasses.body / mass) +
    RERANK.name * Math.min(inName / Math.max(names[doc] as number, 1), 1) +
    RERANK.description * Math.min(inDescription / Math.max(descriptionLength, 1), 1);
  const score =
    lexical +
    RERANK.descriptionLength * (descriptionLength / (descriptionLength + HALF_LENGTH.description)) +
    RERANK.bodyLength * (bodyLength / (bodyLength + HALF_LENGTH.body));
  return { view, doc, id, score, lexical, head, passage: 0, coverage, counts };
}

/**
 * What the pairs weigh that are above the body, and in it. Two words that are not both in a part of a document are no pair
 * there; the filter is asked only if they are.
 */
function pairMassesOf(
  { pairStarts, pairs }: Segment,
  doc: number,
  wanted: readonly QueryPair[],
  counts: Uint16Array,
): { readonly above: number; readonly body: number } {
  const start = pairStarts[2 * doc] as number;
  const middle = pairStarts[2 * doc + 1] as number;
  const end = pairStarts[2 * doc + 2] as number;
  let above = 0;
  let body = 0;
  for (const { hash, mass, first, second } of wanted) {
    const one = counts[first] as number;
    const other = counts[second] as number;
    const isAbove = (one & ABOVE_BODY) !== 0 && (other & ABOVE_BODY) !== 0;
    if (isAbove && holdsPair(pairs, start, middle, hash)) above += mass;
    const isInBody = (one & BODY_MASK) !== 0 && (other & BODY_MASK) !== 0;
    if (isInBody && holdsPair(pairs, middle, end, hash)) body += mass;
  }
  return { above, body };
}
