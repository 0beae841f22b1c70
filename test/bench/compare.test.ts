import { check, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { compareRows, noiseOf } from "../../bench/report/compare-results.ts";
import { type BenchRow, rowOf } from "../../bench/report/row.ts";

const STEADY = [100, 101, 100, 99, 100];

function row(ours: readonly number[], more: Partial<BenchRow> = {}): BenchRow {
  const start = { id: "start.init", name: "initialize", unit: "ms", floorName: "bare Node server" };
  return { ...rowOf("Start", { ...start, samples: { ours, floor: ours.map(() => 50) } }), ...more };
}

function times(values: readonly number[], factor: number): readonly number[] {
  return values.map((value) => value * factor);
}

describe("comparing two results", () => {
  test.each([
    ["the same figures", STEADY, STEADY, "same"],
    ["a change within a tenth", STEADY, times(STEADY, 1.09), "same"],
    ["more than a tenth more, steadily", STEADY, times(STEADY, 1.2), "worse"],
    ["more than a tenth less, steadily", STEADY, times(STEADY, 0.8), "better"],
    [
      "a fifth more where rounds differ by more than that",
      [80, 100, 120, 60, 140],
      [96, 120, 144, 72, 168],
      "same",
    ],
    ["three times as much, however noisy", [80, 100, 120, 90, 110], [240, 300, 360, 270, 330], "worse"],
    ["a fifth more of what was measured once", [100], [120], "same"],
    ["half as much again of what was measured once", [100], [150], "worse"],
  ] as const)("%s: %j, then %j, is %s", (_, before, after, verdict) => {
    expect(compareRows([row(before)], [row(after)])).toMatchObject([{ verdict, id: "start.init" }]);
  });

  test("a busy machine slows both the server and its baseline, which is no change", () => {
    const slower = row(times(STEADY, 3));
    const after = {
      ...slower,
      floor: 150,
      ratio: slower.ours / 150,
      samples: { ...slower.samples, floor: STEADY.map(() => 150) },
    };
    expect(compareRows([row(STEADY)], [after])).toMatchObject([{ verdict: "same" }]);
  });

  test("where more is better, more is better", () => {
    const rate = (values: readonly number[]): BenchRow =>
      row(values, { unit: "calls/s", moreIsBetter: true });
    expect(compareRows([rate(STEADY)], [rate(times(STEADY, 2))])).toMatchObject([{ verdict: "better" }]);
    expect(compareRows([rate(times(STEADY, 2))], [rate(STEADY)])).toMatchObject([{ verdict: "worse" }]);
  });

  test("rows that only one file has are named, and are no regression", () => {
    const changes = compareRows([row(STEADY, { id: "old" })], [row(STEADY, { id: "new" })]);
    expect(changes.map(({ verdict, id }) => [verdict, id])).toEqual([
      ["only-before", "old"],
      ["only-after", "new"],
    ]);
    expect(changes.map(({ text }) => text)).toEqual([
      "Start, initialize (old) is missing in the second file.",
      "Start, initialize (new) is new in the second file.",
    ]);
  });

  test("the sentence names the row, both figures and how much is noise", () => {
    expect(compareRows([row(STEADY)], [row(times(STEADY, 2))])[0]?.text).toBe(
      "Start, initialize (start.init) became worse: from 2.00× (100 ms) to 4.00× (200 ms); up to 10 % is noise.",
    );
  });

  test("what becomes worse one way becomes better the other way", () => {
    const factor = double({ min: 0.2, max: 5, noNaN: true });
    const opposite = { worse: "better", better: "worse", same: "same" } as Readonly<Record<string, string>>;
    const holds = property(factor, (by) => {
      const [there, back] = [row(STEADY), row(times(STEADY, by))];
      const forwards = compareRows([there], [back])[0]?.verdict ?? "";
      return compareRows([back], [there])[0]?.verdict === opposite[forwards];
    });
    expect(check(holds)).toMatchObject({ failed: false });
  });
});

describe("noise", () => {
  test("is the median distance of the rounds' ratios from their median, as a share", () => {
    expect(noiseOf({ samples: { ours: [90, 100, 110, 100, 130], floor: [50, 50, 50, 50, 50] } })).toBeCloseTo(
      0.1,
    );
  });

  test("is none when ours and the floor rise and fall together", () => {
    expect(noiseOf({ samples: { ours: [10, 40, 20], floor: [5, 20, 10] } })).toBe(0);
  });
});
