import { expect, test } from "vitest";
import { trendOf } from "../src/overview/trend.ts";

/** Days with so many loads, the last one today. */
const trend = (...loads: readonly number[]): string | undefined =>
  trendOf(
    loads.map((served) => ({ events: served, served })),
    ({ served }) => served,
    2,
  );

test.each([
  ["twice as many", [1, 1, 1, 2, 2], "+100 %"],
  ["fewer", [1, 4, 4, 2, 2], "−50 %"],
  ["as many", [1, 2, 2, 2, 2], "±0 %"],
  ["recorded since the first day of both halves", [0, 1, 1, 2, 2], "+100 %"],
  ["recorded since later: half a window is not compared with a whole one", [0, 0, 1, 2, 2], undefined],
  ["nothing before", [1, 0, 0, 2, 2], undefined],
  ["nothing at all", [0, 0, 0, 0, 0], undefined],
  ["too few days", [1, 2, 2], undefined],
])("a trend: %s", (_what, loads, expected) => {
  expect(trend(...loads)).toBe(expected);
});
