import { median } from "../measure.ts";

/** What one measurement says: our figure beside a floor that was taken in the same rounds. */
export interface BenchRow {
  /** Stays the same between versions, so that two files can be compared. */
  readonly id: string;
  readonly section: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly floor: number;
  readonly floorName: string;
  /** Ours to the floor. */
  readonly ratio: number;
  readonly samples: { readonly ours: readonly number[]; readonly floor: readonly number[] };
  /** More of it is better, as with calls in a second; otherwise less is. */
  readonly moreIsBetter?: true;
  /** What we want: at most this (at least, where more is better). */
  readonly limit?: number;
  /** What the limit is about; the ratio unless said otherwise. */
  readonly limitOf?: "ours";
}

export type RowStart = Omit<BenchRow, "section" | "ours" | "floor" | "ratio">;

/** Medians and their ratio; `samples` are one figure of each round. */
export function rowOf(section: string, start: RowStart): BenchRow {
  const [ours, floor] = [median(start.samples.ours), median(start.samples.floor)];
  return { ...start, section, ours, floor, ratio: ours / floor };
}

/** Whether a row is within its limit; undefined when it has none. */
export function isWithinLimit({ limit, limitOf, moreIsBetter, ours, ratio }: BenchRow): boolean | undefined {
  if (limit === undefined) return undefined;
  const value = limitOf === "ours" ? ours : ratio;
  return moreIsBetter === true ? value >= limit : value <= limit;
}

/** `≤ 1.6×`, `≤ 5 ms` or `≥ 0.9×`. */
export function limitText({ limit, limitOf, moreIsBetter, unit }: BenchRow): string {
  if (limit === undefined) return "";
  return `${moreIsBetter === true ? "≥" : "≤"} ${limit}${limitOf === "ours" ? ` ${unit}` : "×"}`;
}
