import { interval } from "./bootstrap.ts";
import type { LabelledQuery } from "./labelled-sets.ts";
import type { Ranker } from "./ranker.ts";

/** Means over all queries, each between 0 and 1. */
export interface Quality {
  /** The first result is right. */
  readonly hitAt1: number;
  /** How much of what is right is among the first five. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  /** The same, with more for a higher place. */
  readonly ndcgAt10: number;
  /** There was any result at all. */
  readonly answered: number;
  /** The 95 % intervals of the first two. */
  readonly intervals: { readonly hitAt1: Interval; readonly recallAt5: Interval };
}

type Interval = readonly [low: number, high: number];
type Judged = Omit<Quality, "intervals">;

const DEPTH = 10;

export function measureQuality(ranker: Ranker, queries: readonly LabelledQuery[]): Quality {
  const judged = queries.map(({ query, relevant }) => judge(ranker.rank(query, DEPTH), new Set(relevant)));
  const over = (value: (one: Judged) => number): number => mean(judged.map(value));
  return {
    hitAt1: over(({ hitAt1 }) => hitAt1),
    recallAt5: over(({ recallAt5 }) => recallAt5),
    recallAt10: over(({ recallAt10 }) => recallAt10),
    ndcgAt10: over(({ ndcgAt10 }) => ndcgAt10),
    answered: over(({ answered }) => answered),
    intervals: {
      hitAt1: interval(judged.map(({ hitAt1 }) => hitAt1)),
      recallAt5: interval(judged.map(({ recallAt5 }) => recallAt5)),
    },
  };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function judge(ids: readonly string[], relevant: ReadonlySet<string>): Judged {
  const gains = ids.slice(0, DEPTH).map((id) => (relevant.has(id) ? 1 : 0));
  const found = (depth: number): number => sum(gains.slice(0, depth));
  const ideal = discounted(Array.from({ length: Math.min(relevant.size, DEPTH) }, () => 1));
  return {
    hitAt1: found(1),
    recallAt5: found(5) / relevant.size,
    recallAt10: found(DEPTH) / relevant.size,
    ndcgAt10: discounted(gains) / ideal,
    answered: ids.length > 0 ? 1 : 0,
  };
}

function discounted(gains: readonly number[]): number {
  return sum(gains.map((gain, place) => gain / Math.log2(place + 2)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
