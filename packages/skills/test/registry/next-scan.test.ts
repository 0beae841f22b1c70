import { expect, test } from "vitest";
import { nextScanIn } from "../../src/registry/registry.ts";

test.each([
  ["the interval that was asked for, whatever a scan costs", true, true, 60_000, 10_000],
  ["the interval, while a scan costs little", false, true, 10, 10_000],
  ["300 times what a scan costs, where changes are reported", false, true, 500, 150_000],
  ["30 times what it costs, where they are not", false, false, 500, 15_000],
])("everything is scanned again after %s", (_when, isAsked, isWatched, costMs, expected) => {
  expect(nextScanIn({ intervalMs: 10_000, isAsked, isWatched, costMs })).toBe(expected);
});
