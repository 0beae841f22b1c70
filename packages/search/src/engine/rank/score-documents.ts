import {
  ABOVE_BODY,
  BM25F,
  BODY_MASK,
  DESCRIPTION_SHIFT,
  EXAMPLES_SHIFT,
  KEYWORDS_SHIFT,
  type Lengths,
  NAME_SHIFT,
} from "../index/fields.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { PostingRange, Segment } from "../index/segment.ts";
import type { QueryTerm } from "./resolve-terms.ts";

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
