import { expect, test } from "vitest";
import { nextLookIn } from "../../src/registry/next-scan.ts";

test.each([
  ["the interval that was asked for, whatever a look costs", true, true, 60_000, 10_000],
  ["the interval, while a look costs little", false, true, 10, 10_000],
  ["300 times what a look costs, where changes are reported", false, true, 500, 150_000],
  ["30 times what it costs, where they are not", false, false, 500, 15_000],
])("the whole disk is looked at again after %s", (_when, asked, watched, costMs, expected) => {
  expect(nextLookIn({ intervalMs: 10_000, asked, watched, costMs })).toBe(expected);
});
