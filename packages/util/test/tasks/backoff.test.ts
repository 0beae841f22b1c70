import { expect, test } from "vitest";
import { backoffMs } from "../../src/tasks/backoff.ts";

test.each([
  [1, 0, 15_000],
  [1, 1, 30_000],
  [2, 1, 60_000],
  [3, 0, 60_000],
  [6, 1, 900_000],
  [7, 0, 450_000],
  [5000, 1, 900_000],
])("after %i failures and with chance %d the wait is %i ms", (failures, random, wait) => {
  expect(backoffMs(failures, { firstMs: 30_000, longestMs: 900_000, random })).toBe(wait);
});
