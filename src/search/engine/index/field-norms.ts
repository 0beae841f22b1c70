import { eachSlice, type Steps } from "../../../catalog/steps.ts";
import { BODY, FIELD_COUNT } from "./fields.ts";
import type { SegmentView } from "./segment-view.ts";

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
 * By segment. Averages are of the living documents, from whole numbers: an edited index has exactly those of a fresh one.
 * Worked out once per index, which spares a search a division for every posting and field.
 */
export function* fieldNorms(views: readonly SegmentView[], size: number): Steps<readonly FieldNorms[]> {
  // There are fewer lengths than documents, and every edit changes the averages.
  const byLength = Array.from({ length: FIELD_COUNT }, (_, field) => normsByLength(views, size, field));
  const norms: FieldNorms[] = [];
  for (const { segment } of views) {
    const { lengths, ids } = segment;
    const aboveBody = new Float32Array(BODY * ids.length);
    const body = new Float32Array(ids.length);
    for (let field = 0; field < FIELD_COUNT; field++) {
      const table = byLength[field] as Float32Array;
      const own = lengths[field] as Uint16Array;
      yield* eachSlice(own.length, (from, to) => {
        if (field === BODY)
          for (let doc = from; doc < to; doc++) body[doc] = table[own[doc] as number] as number;
        else {
          for (let doc = from; doc < to; doc++)
            aboveBody[BODY * doc + field] = table[own[doc] as number] as number;
        }
      });
    }
    norms.push({ aboveBody, body });
  }
  return norms;
}

function normsByLength(views: readonly SegmentView[], size: number, field: number): Float32Array {
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
}
