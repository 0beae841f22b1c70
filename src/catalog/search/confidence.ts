import type { Reranked } from "./rerank.ts";

export type Verdict = "match" | "ambiguous" | "no_match";

export const CONFIDENCE = { bias: -3, margin: 4, score: 1, coverage: 2, nameHit: 1 };
export const THRESHOLDS = { match: 0.8, ambiguous: 0.3 };

/** The probability that the first result is right. */
export function confidenceOf(results: readonly Reranked[]): number {
  const [first, second] = results;
  if (first === undefined) return 0;
  const margin = (first.score - (second?.score ?? 0)) / first.score;
  const { coverage, bm25f, nameHit } = first.features;
  const sum =
    CONFIDENCE.bias +
    CONFIDENCE.margin * margin +
    CONFIDENCE.score * bm25f +
    CONFIDENCE.coverage * coverage +
    CONFIDENCE.nameHit * nameHit;
  return 1 / (1 + Math.exp(-sum));
}

export function verdictOf(confidence: number): Verdict {
  if (confidence >= THRESHOLDS.match) return "match";
  return confidence >= THRESHOLDS.ambiguous ? "ambiguous" : "no_match";
}
