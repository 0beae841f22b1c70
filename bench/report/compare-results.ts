import { figure, median } from "../measure.ts";
import type { BenchRow } from "./row.ts";

/** A smaller change says nothing on a shared machine. */
const LEAST_CHANGE = 0.1;
/** What counts as noise when a row was measured too seldom to tell. */
const UNKNOWN_NOISE = 0.3;
const FEWEST_SAMPLES = 3;
/** So many median deviations lie around a value before a change is believed. */
const DEVIATIONS = 3;

export interface Change {
  readonly verdict: "worse" | "better" | "same" | "only-before" | "only-after";
  readonly id: string;
  /** A whole sentence. */
  readonly text: string;
}

/** What became of each row, by the ratios to their floors: machines differ, ratios less. */
export function compareRows(before: readonly BenchRow[], after: readonly BenchRow[]): readonly Change[] {
  const later = new Map(after.map((row) => [row.id, row]));
  const earlier = new Set(before.map(({ id }) => id));
  return [
    ...before.map((row) => {
      const now = later.get(row.id);
      return now === undefined ? alone(row, "only-before") : compareRow(row, now);
    }),
    ...after.filter(({ id }) => !earlier.has(id)).map((row) => alone(row, "only-after")),
  ];
}

function compareRow(before: BenchRow, after: BenchRow): Change {
  const limit = Math.max(LEAST_CHANGE, DEVIATIONS * Math.max(noiseOf(before), noiseOf(after)));
  const grown = after.ratio / before.ratio - 1;
  // Twice as many and half as many are the same step in the two directions.
  const isMore = grown > limit;
  const isLess = before.ratio / after.ratio - 1 > limit;
  const moreIsWorse = before.moreIsBetter !== true;
  const verdict = isMore
    ? moreIsWorse
      ? "worse"
      : "better"
    : isLess
      ? moreIsWorse
        ? "better"
        : "worse"
      : "same";
  const became = verdict === "same" ? "did not change beyond noise" : `became ${verdict}`;
  return {
    verdict,
    id: before.id,
    text: `${titleOf(before)} ${became}: from ${ratioText(before)} to ${ratioText(after)}; up to ${percent(limit)} is noise.`,
  };
}

/** How far the ratios of single rounds lie from their median, as a share of it. */
export function noiseOf({ samples: { ours, floor } }: Pick<BenchRow, "samples">): number {
  if (Math.min(ours.length, floor.length) < FEWEST_SAMPLES) {
    // One figure that cannot differ, such as a number of bytes, is not told apart from one that was taken once.
    return UNKNOWN_NOISE / DEVIATIONS;
  }
  const base = median(floor);
  const ratios = ours.map(
    (value, round) => value / (ours.length === floor.length ? (floor[round] ?? base) : base),
  );
  const middle = median(ratios);
  return median(ratios.map((ratio) => Math.abs(ratio - middle))) / Math.abs(middle);
}

function alone(row: BenchRow, verdict: "only-before" | "only-after"): Change {
  const where = verdict === "only-before" ? "is missing in the second file" : "is new in the second file";
  return { verdict, id: row.id, text: `${titleOf(row)} ${where}.` };
}

function titleOf({ section, name, id }: BenchRow): string {
  return `${section}, ${name} (${id})`;
}

/** `4.20× (126 ms)` */
function ratioText({ ratio, ours, unit }: BenchRow): string {
  return `${figure(ratio)}× (${figure(ours)} ${unit})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
