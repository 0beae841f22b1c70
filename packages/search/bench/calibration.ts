import { mean } from "./metrics.ts";

/** What the engine said of its first result, and whether that was right. */
export interface Claim {
  /** 0 to 1. */
  readonly confidence: number;
  readonly right: boolean;
}

const BINS = 10;

/** How often the first result is right among the given share of queries that the engine was surest of. */
export function precisionOfSurest(claims: readonly Claim[], share: number): number {
  const surest = [...claims].sort((a, b) => b.confidence - a.confidence);
  return precision(surest.slice(0, Math.round(claims.length * share)));
}

/**
 * Expected calibration error: how far confidence and precision lie apart, on average over ten equal ranges of
 * confidence weighted by how many queries fall into each.
 */
export function calibrationError(claims: readonly Claim[]): number {
  const bins: Claim[][] = Array.from({ length: BINS }, () => []);
  for (const claim of claims) bins[Math.min(BINS - 1, Math.floor(claim.confidence * BINS))]?.push(claim);
  return bins
    .filter((bin) => bin.length > 0)
    .reduce((error, bin) => {
      const distance = Math.abs(mean(bin.map(({ confidence }) => confidence)) - precision(bin));
      return error + (distance * bin.length) / claims.length;
    }, 0);
}

export function precision(claims: readonly Claim[]): number {
  return mean(claims.map(({ right }) => (right ? 1 : 0)));
}
