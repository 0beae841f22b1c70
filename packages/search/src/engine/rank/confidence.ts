import type { Reranked } from "./rerank.ts";

export type SearchVerdict = "match" | "ambiguous" | "no_match";

/**
 * A logistic regression on the development prompts, with a fifth as many requests that no skill answers (the prompts
 * of one set asked of the other). The lead of the first result is the strongest signal; a match in its name
 * adds nothing.
 */
const WEIGHT = {
  bias: -2.2,
  /** The first score less that of the next that is no copy of it. */
  margin: 2.4,
  /** How much of the query the first result contains: low for a chance match on one word. */
  coverage: 0.5,
  /** The logarithm of the number of words searched for: one word rarely settles it. */
  words: 0.35,
};

/** About a third of the measured prompts are above this; for 19 in 20 of them the first result is right. */
const SURE = 0.8;

/** A query that is a name means that skill, or one of several with that name. */
const LEAST_OF_SEVERAL = 0.3;

/**
 * The probability that the first result is right. `next` is the best one that is no copy of it; `named` are the skills whose
 * name is the query.
 */
export function confidenceOf(
  first: Reranked | undefined,
  next: Reranked | undefined,
  words: number,
  named: number,
): number {
  if (first === undefined) return 0;
  if (named > 0) return Math.max(LEAST_OF_SEVERAL, 1 / named);
  const sum =
    WEIGHT.bias +
    WEIGHT.margin * (first.score - (next?.score ?? 0)) +
    WEIGHT.coverage * first.coverage +
    WEIGHT.words * Math.log(1 + words);
  return 1 / (1 + Math.exp(-sum));
}

export function verdictOf(confidence: number, fits: boolean): SearchVerdict {
  if (!fits) return "no_match";
  return confidence >= SURE ? "match" : "ambiguous";
}
