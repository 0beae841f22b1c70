import { BM25F, type FieldNorms } from "./field-norms.ts";
import {
  ABOVE_BODY,
  BODY_MASK,
  DESCRIPTION_SHIFT,
  EXAMPLES_SHIFT,
  KEYWORDS_SHIFT,
  NAME_SHIFT,
} from "./fields.ts";
import type { QueryTerm } from "./resolve-terms.ts";
import type { SearchIndex } from "./search-index.ts";
import type { PostingRange, Segment } from "./segment.ts";

/** By segment and document: BM25F, the fields weighed before the saturation, so that a word counts once per document. */
export function scoreDocuments(
  { views, norms }: SearchIndex,
  terms: readonly QueryTerm[],
): readonly Float64Array[] {
  return views.map(({ segment, dead }, view) => {
    const scores = new Float64Array(segment.ids.length);
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
  { postingDocs, postingCounts, lengths }: Segment,
  norms: FieldNorms,
  { start, end }: PostingRange,
  weight: number,
): void {
  const { k1 } = BM25F;
  const most = weight * (k1 + 1);
  const [nameNorm, descriptionNorm, keywordsNorm, examplesNorm, bodyNorm] = byField(norms);
  const [nameLength, descriptionLength, keywordsLength, examplesLength, bodyLength] = byField(lengths);
  for (let at = start; at < end; at++) {
    const doc = postingDocs[at] as number;
    const counts = postingCounts[at] as number;
    let sum = (counts & BODY_MASK) * (bodyNorm[bodyLength[doc] as number] as number);
    if ((counts & ABOVE_BODY) !== 0) {
      sum +=
        (counts >>> NAME_SHIFT) * (nameNorm[nameLength[doc] as number] as number) +
        ((counts >>> DESCRIPTION_SHIFT) & 7) * (descriptionNorm[descriptionLength[doc] as number] as number) +
        ((counts >>> KEYWORDS_SHIFT) & 3) * (keywordsNorm[keywordsLength[doc] as number] as number) +
        ((counts >>> EXAMPLES_SHIFT) & 7) * (examplesNorm[examplesLength[doc] as number] as number);
    }
    scores[doc] = (scores[doc] as number) + (most * sum) / (k1 + sum);
  }
}

/** In the order of `fields.ts`. */
function byField<Values>(values: readonly Values[]): readonly [Values, Values, Values, Values, Values] {
  return values as readonly [Values, Values, Values, Values, Values];
}
