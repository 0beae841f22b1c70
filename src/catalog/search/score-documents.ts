import {
  ABOVE_BODY,
  BODY,
  BODY_MASK,
  DESCRIPTION,
  DESCRIPTION_SHIFT,
  EXAMPLES,
  EXAMPLES_SHIFT,
  KEYWORDS,
  KEYWORDS_SHIFT,
  NAME,
  NAME_SHIFT,
} from "./fields.ts";
import type { QueryTerm } from "./resolve-terms.ts";
import type { SearchIndex } from "./search-index.ts";
import type { SegmentView } from "./segment.ts";

/** How much an occurrence counts by its field, and how much a field longer than average takes from it (b). */
export const BM25F = {
  weights: [3, 2, 2, 2, 0.5],
  b: [0.75, 0.75, 0.75, 0.75, 0.75],
  /** How soon more of the same word stops counting. */
  k1: 1.5,
};

/** By segment and document: BM25F, the fields weighed before the saturation, so that a word counts once per document. */
export function scoreDocuments(index: SearchIndex, terms: readonly QueryTerm[]): readonly Float64Array[] {
  const shape = BM25F.weights.map((_, field) => {
    const b = BM25F.b[field] ?? 0;
    const average = (index.lengthSums[field] ?? 0) / Math.max(index.size, 1);
    return { base: 1 - b, perTerm: average === 0 ? 0 : b / average };
  });
  return index.views.map((view, number) => {
    const scores = new Float64Array(view.segment.ids.length);
    for (const term of terms) addTerm(scores, view, term, number, shape);
    if (view.dead !== null)
      for (let doc = 0; doc < scores.length; doc++) if (view.dead[doc] === 1) scores[doc] = 0;
    return scores;
  });
}

interface FieldShape {
  readonly base: number;
  readonly perTerm: number;
}

function addTerm(
  scores: Float64Array,
  { segment }: SegmentView,
  { ranges, weight }: QueryTerm,
  number: number,
  shape: readonly FieldShape[],
): void {
  const range = ranges[number];
  if (range === null || range === undefined) return;
  const { postingDocs, postingCounts, lengths } = segment;
  const bodyLengths = lengths[BODY] ?? NO_LENGTHS;
  const body = shape[BODY] ?? NO_SHAPE;
  const bodyWeight = BM25F.weights[BODY] ?? 0;
  const { k1 } = BM25F;
  const part = (field: number, doc: number, count: number): number => {
    const { base, perTerm } = shape[field] ?? NO_SHAPE;
    return ((BM25F.weights[field] ?? 0) * count) / (base + perTerm * (lengths[field]?.[doc] ?? 0));
  };
  for (let at = range.start; at < range.end; at++) {
    const doc = postingDocs[at] ?? 0;
    const counts = postingCounts[at] ?? 0;
    let sum = (bodyWeight * (counts & BODY_MASK)) / (body.base + body.perTerm * (bodyLengths[doc] ?? 0));
    if ((counts & ABOVE_BODY) !== 0) {
      const inName = (counts >>> NAME_SHIFT) & 3;
      const inDescription = (counts >>> DESCRIPTION_SHIFT) & 7;
      const inKeywords = (counts >>> KEYWORDS_SHIFT) & 3;
      const inExamples = (counts >>> EXAMPLES_SHIFT) & 7;
      if (inName > 0) sum += part(NAME, doc, inName);
      if (inDescription > 0) sum += part(DESCRIPTION, doc, inDescription);
      if (inKeywords > 0) sum += part(KEYWORDS, doc, inKeywords);
      if (inExamples > 0) sum += part(EXAMPLES, doc, inExamples);
    }
    scores[doc] = (scores[doc] ?? 0) + (weight * (k1 + 1) * sum) / (k1 + sum);
  }
}

const NO_LENGTHS = new Uint16Array(0);
const NO_SHAPE: FieldShape = { base: 1, perTerm: 0 };
