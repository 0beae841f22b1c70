import { BODY, FIELD_COUNT } from "./fields.ts";
import type { SegmentView } from "./segment.ts";

/** How much an occurrence counts by its field, and how much a field longer than average takes from it (b). */
export const BM25F = {
  weights: [3, 2, 2, 2, 0.5],
  b: [0.75, 0.75, 0.75, 0.75, 0.75],
  /** How soon more of the same word stops counting. */
  k1: 1.5,
};

/** What one occurrence is worth in each document, the field's weight and the document's length taken together. */
export interface FieldNorms {
  /** Four numbers a document: name, description, keywords, examples. */
  readonly aboveBody: Float32Array;
  /** Apart, as most postings need no other. */
  readonly body: Float32Array;
}

/**
 * Averages are of the living documents, from whole numbers: an edited index has exactly those of a fresh one.
 * Worked out once per index and not per search, which would divide once for every posting and field.
 */
export function fieldNorms(views: readonly SegmentView[], size: number): readonly FieldNorms[] {
  const sums = Array.from({ length: FIELD_COUNT }, () => 0);
  for (const { segment, dead } of views) {
    for (const [field, lengths] of segment.lengths.entries()) {
      let sum = 0;
      for (let doc = 0; doc < lengths.length; doc++)
        if (dead === null || dead[doc] === 0) sum += lengths[doc] ?? 0;
      sums[field] = (sums[field] ?? 0) + sum;
    }
  }
  return views.map(({ segment }) => {
    const aboveBody = new Float32Array(BODY * segment.ids.length);
    const body = new Float32Array(segment.ids.length);
    for (const [field, lengths] of segment.lengths.entries()) {
      const weight = BM25F.weights[field] ?? 0;
      const b = BM25F.b[field] ?? 0;
      const average = (sums[field] ?? 0) / Math.max(size, 1);
      const perTerm = average === 0 ? 0 : b / average;
      for (let doc = 0; doc < lengths.length; doc++) {
        const norm = weight / (1 - b + perTerm * (lengths[doc] ?? 0));
        if (field === BODY) body[doc] = norm;
        else aboveBody[BODY * doc + field] = norm;
      }
    }
    return { aboveBody, body };
  });
}
