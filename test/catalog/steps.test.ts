import { expect, test } from "vitest";
import { eachSlice, everySlice, MOST_PER_STEP, runToEnd } from "../../src/catalog/steps.ts";

test("slices cover everything once, in order", () => {
  for (const count of [0, 1, MOST_PER_STEP, MOST_PER_STEP + 1, 3 * MOST_PER_STEP]) {
    const seen: [number, number][] = [];
    runToEnd(eachSlice(count, (from, to) => seen.push([from, to])));
    expect(seen.map(([from]) => from)).toEqual([0, ...seen.map(([, to]) => to)].slice(0, seen.length));
    expect(seen.at(-1)?.[1] ?? 0).toBe(count);
  }
});

test("a check of slices stops at the first that fails", () => {
  const seen: number[] = [];
  const passes = (from: number): boolean => seen.push(from) < 2;
  expect(runToEnd(everySlice(5 * MOST_PER_STEP, passes))).toBe(false);
  expect(seen).toEqual([0, MOST_PER_STEP]);
});
