import { FIELD_COUNT } from "./fields.ts";
import type { SegmentView } from "./segment-view.ts";

/** How much an occurrence counts by its field, and how much a field longer than average takes from it (b). */
export const BM25F = {
  weights: [3, 2, 2, 2, 0.5],
  b: [0.75, 0.75, 0.75, 0.75, 0.75],
  /** How soon more of the same word stops counting. */
  k1: 1.5,
};

/** By field, then by the length of the field: what one occurrence is worth, the field's weight included. */
export type FieldNorms = readonly Float32Array[];

/**
 * Averages are of the living documents, from whole numbers: an edited index has exactly those of a fresh one.
 * Worked out once per index, which spares a search a division for every posting and field; and by length, of which there
 * are fewer than documents, as every edit changes the averages.
 */
export function fieldNorms(views: readonly SegmentView[], size: number): FieldNorms {
  return Array.from({ length: FIELD_COUNT }, (_, field) => {
    let sum = 0;
    let longest = 0;
    for (const view of views) {
      sum += view.lengthSums[field] ?? 0;
      longest = Math.max(longest, view.longest[field] ?? 0);
    }
    const weight = BM25F.weights[field] ?? 0;
    const b = BM25F.b[field] ?? 0;
    const average = sum / Math.max(size, 1);
    const perTerm = average === 0 ? 0 : b / average;
    const norms = new Float32Array(longest + 1);
    for (let length = 0; length <= longest; length++) norms[length] = weight / (1 - b + perTerm * length);
    return norms;
  });
}
