import {
  ABOVE_BODY,
  BM25F,
  BODY_MASK,
  DESCRIPTION_SHIFT,
  EXAMPLES_SHIFT,
  KEYWORDS_SHIFT,
  type Lengths,
  NAME_SHIFT,
} from "../index/build-segment.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { PostingRange, Segment } from "../index/segment.ts";
import { DIMENSIONS } from "../index/segment.ts";
import { createEmbedder, equalSigns, SAME, signsOf, vectorOf } from "../meaning/embed.ts";
import { runToEnd } from "../steps.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { QueryTerm, ResolvedQuery } from "./resolve-terms.ts";

/** By segment and document: BM25F, the fields weighed before the saturation, so that a word counts once per document. */
export function scoreDocuments(index: SearchIndex, terms: readonly QueryTerm[]): readonly Float64Array[] {
  return index.views.map(({ segment, dead }, view) => {
    const scores = new Float64Array(segment.ids.length);
    for (const { ranges, weight, scored } of terms) {
      const range = ranges[view];
      if (scored && range !== null && range !== undefined)
        addTerm(scores, segment, index.norms, range, weight);
    }
    if (dead !== null) for (let doc = 0; doc < scores.length; doc++) if (dead[doc] === 1) scores[doc] = 0;
    return scores;
  });
}

type Norms = readonly [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];

/** The inner loop of every search: plain reads, one division. */
function addTerm(
  scores: Float64Array,
  { postingDocs, postingCounts, lengths }: Segment,
  norms: readonly Float32Array[],
  { start, end }: PostingRange,
  weight: number,
): void {
  const { k1 } = BM25F;
  const most = weight * (k1 + 1);
  const [names, descriptions, keywords, examples, bodies] = lengths as Lengths;
  const [nameNorms, descriptionNorms, keywordNorms, exampleNorms, bodyNorms] = norms as Norms;
  for (let at = start; at < end; at++) {
    const doc = postingDocs[at] as number;
    const counts = postingCounts[at] as number;
    let sum = (counts & BODY_MASK) * (bodyNorms[bodies[doc] as number] as number);
    if ((counts & ABOVE_BODY) !== 0) {
      const inName = counts >>> NAME_SHIFT;
      const inDescription = (counts >>> DESCRIPTION_SHIFT) & 7;
      const inKeywords = (counts >>> KEYWORDS_SHIFT) & 3;
      const inExamples = (counts >>> EXAMPLES_SHIFT) & 7;
      // Most are 0. Code that runs for the first time allocates memory for each product.
      let above = 0;
      if (inName !== 0) above += inName * (nameNorms[names[doc] as number] as number);
      if (inDescription !== 0)
        above += inDescription * (descriptionNorms[descriptions[doc] as number] as number);
      if (inKeywords !== 0) above += inKeywords * (keywordNorms[keywords[doc] as number] as number);
      if (inExamples !== 0) above += inExamples * (exampleNorms[examples[doc] as number] as number);
      sum += above;
    }
    scores[doc] = (scores[doc] as number) + (most * sum) / (k1 + sum);
  }
}

/** A document by segment and number. */
export interface ScoredDocument {
  readonly view: number;
  readonly doc: number;
  readonly id: string;
  readonly score: number;
}

const NO_IDS: ReadonlySet<string> = new Set();

type Scored = Pick<ScoredDocument, "id" | "score">;

export function byRank(a: Scored, b: Scored): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The `most` best of all scores above 0 but those of `leftOut` ids, best first, equal ones by id. */
export function bestDocuments(
  index: SearchIndex,
  scores: readonly Float64Array[],
  most: number,
  leftOut: ReadonlySet<string> = NO_IDS,
): readonly ScoredDocument[] {
  const least = leastOfBest(scores, most + leftOut.size);
  const found: ScoredDocument[] = [];
  for (const [view, values] of scores.entries()) {
    const ids = index.views[view]?.segment.ids ?? [];
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score >= least && score > 0) found.push({ view, doc, id: ids[doc] ?? "", score });
    }
  }
  return bestOf(found, most, leftOut);
}

/** The `most` best of these but those of `leftOut` ids. */
export function bestOf(
  found: readonly ScoredDocument[],
  most: number,
  leftOut: ReadonlySet<string>,
): readonly ScoredDocument[] {
  return found
    .filter(({ id }) => !leftOut.has(id))
    .sort(byRank)
    .slice(0, most);
}

const SIZES = 512;

/** A score that at least `most` have, if so many are above 0, and few more: scores are counted by size. */
function leastOfBest(scores: readonly Float64Array[], most: number): number {
  let highest = 0;
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      if ((values[doc] as number) > highest) highest = values[doc] as number;
    }
  }
  if (highest === 0) return 0;
  const unit = highest / SIZES;
  const perUnit = SIZES / highest;
  const counts = new Uint32Array(SIZES + 1);
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score <= 0) continue;
      const size = (score * perUnit) | 0;
      counts[size] = (counts[size] as number) + 1;
    }
  }
  let found = 0;
  for (let size = SIZES; size > 0; size--) {
    found += counts[size] as number;
    // One lower: a product may differ in the last bit.
    if (found >= most) return (size - 1) * unit;
  }
  return 0;
}

/** The documents of these ids, whatever they scored. */
export function namedDocuments(
  { views }: SearchIndex,
  scores: readonly Float64Array[],
  ids: ReadonlySet<string>,
): readonly ScoredDocument[] {
  return [...ids].flatMap((id) =>
    views.flatMap(({ segment, dead }, view): readonly ScoredDocument[] => {
      const doc = segment.ids.findIndex((other, at) => other === id && dead?.[at] !== 1);
      return doc === -1 ? [] : [{ view, doc, id, score: scores[view]?.[doc] ?? 0 }];
    }),
  );
}

/** The vector of a query; undefined when no word of it is in the table, or there is no table. */
export function queryMeaning(
  { table }: SearchIndex,
  { concepts }: ParsedQuery,
  { terms }: ResolvedQuery,
): Int8Array | undefined {
  if (table === undefined) return undefined;
  const embedder = createEmbedder(table);
  let known = 0;
  const add = (term: string, weight: number): boolean => {
    const row = embedder.rowOf(term);
    if (row === -1) return false;
    embedder.add(row, weight);
    known++;
    return true;
  };
  for (const [number, { term, weight }] of concepts.entries()) {
    if (add(term, weight)) continue;
    // A word that the table does not have means what it was corrected to, or what the user says it means.
    for (const other of terms) if (other.concept === number) add(other.term, weight * other.share);
  }
  return known === 0 ? undefined : vectorOf(embedder);
}

/** How alike the query is to the catalogue on the whole: the mean of its similarities to what is above the bodies. */
export function similarityToAll({ views, size }: SearchIndex, meaning: Int8Array | undefined): number {
  if (meaning === undefined) return 0;
  let sum = 0;
  for (const { headSum } of views) {
    for (let at = 0; at < DIMENSIONS; at++) sum += (headSum[at] as number) * (meaning[at] as number);
  }
  return sum / (SAME * Math.max(size, 1));
}

/**
 * The documents that are most alike to a query as far as the signs of both tell: at least `most`, if so many are alike at all,
 * and those that are as alike as the last of them.
 */
export function roughlyAlike(
  { views }: SearchIndex,
  meaning: Int8Array,
  most: number,
): readonly ScoredDocument[] {
  const wanted = runToEnd(signsOf(meaning));
  const scores = views.map(({ segment, dead }) => {
    const equal = equalSigns(segment.signs, wanted);
    if (dead !== null) for (let doc = 0; doc < equal.length; doc++) if (dead[doc] === 1) equal[doc] = 0;
    return equal;
  });
  const least = leastOf(scores, most);
  const found: ScoredDocument[] = [];
  for (const [view, values] of scores.entries()) {
    const ids = views[view]?.segment.ids ?? [];
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score >= least) found.push({ view, doc, id: ids[doc] ?? "", score });
    }
  }
  return found;
}

/** The score that at least `most` have, if so many are alike at all. */
function leastOf(scores: readonly Uint8Array[], most: number): number {
  const counts = new Uint32Array(DIMENSIONS + 1);
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      counts[score] = (counts[score] as number) + 1;
    }
  }
  let found = 0;
  for (let score = DIMENSIONS; score > LEAST_ALIKE; score--) {
    found += counts[score] as number;
    if (found >= most) return score;
  }
  return LEAST_ALIKE;
}

/** Unrelated vectors agree on about 50 % of sign bits, so subtract that baseline. */
const LEAST_ALIKE = DIMENSIONS / 2 + 1;
