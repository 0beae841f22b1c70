import { BM25F, type FieldNorms } from "../index/field-norms.ts";
import {
  ABOVE_BODY,
  BODY_MASK,
  DESCRIPTION_SHIFT,
  EXAMPLES_SHIFT,
  KEYWORDS_SHIFT,
  NAME_SHIFT,
} from "../index/fields.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { PostingRange, Segment } from "../index/segment.ts";
import type { QueryTerm } from "./resolve-terms.ts";

/** By segment and document: BM25F, the fields weighed before the saturation, so that a word counts once per document. */
export function scoreDocuments(index: SearchIndex, terms: readonly QueryTerm[]): readonly Float64Array[] {
  return index.views.map(({ segment, dead }, view) => {
    const scores = new Float64Array(segment.ids.length);
    const norms = index.norms[view] as FieldNorms;
    for (const { ranges, weight, scored } of terms) {
      const range = ranges[view];
      if (scored && range !== null && range !== undefined) addTerm(scores, segment, norms, range, weight);
    }
    if (dead !== null) for (let doc = 0; doc < scores.length; doc++) if (dead[doc] === 1) scores[doc] = 0;
    return scores;
  });
}

/** The inner loop of every search: plain reads, one division. */
function addTerm(
  scores: Float64Array,
  { postingDocs, postingCounts }: Segment,
  { aboveBody, body }: FieldNorms,
  { start, end }: PostingRange,
  weight: number,
): void {
  const { k1 } = BM25F;
  const most = weight * (k1 + 1);
  for (let at = start; at < end; at++) {
    const doc = postingDocs[at] as number;
    const counts = postingCounts[at] as number;
    let sum = (counts & BODY_MASK) * (body[doc] as number);
    if ((counts & ABOVE_BODY) !== 0) {
      sum +=
        (counts >>> NAME_SHIFT) * (aboveBody[4 * doc] as number) +
        ((counts >>> DESCRIPTION_SHIFT) & 7) * (aboveBody[4 * doc + 1] as number) +
        ((counts >>> KEYWORDS_SHIFT) & 3) * (aboveBody[4 * doc + 2] as number) +
        ((counts >>> EXAMPLES_SHIFT) & 7) * (aboveBody[4 * doc + 3] as number);
    }
    scores[doc] = (scores[doc] as number) + (most * sum) / (k1 + sum);
  }
}
