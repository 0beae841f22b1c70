import { describe, expect, test } from "vitest";
import { nextRefreshMs } from "../src/git-source.ts";

const MINUTE = 60_000;

describe("the wait for the next refresh", () => {
  test.each([
    [15 * MINUTE, 0, true, 15 * MINUTE],
    [15 * MINUTE, 1, true, 15 * MINUTE],
    [15 * MINUTE, 2, true, 30 * MINUTE],
    [15 * MINUTE, 3, true, 60 * MINUTE],
    [15 * MINUTE, 99, true, 60 * MINUTE],
    [120 * MINUTE, 5, true, 120 * MINUTE],
    [15 * MINUTE, 0, false, 15 * MINUTE],
    [15 * MINUTE, 1, false, 5_000],
    [15 * MINUTE, 3, false, 20_000],
    [15 * MINUTE, 99, false, 15 * MINUTE],
    [1_000, 5, false, 1_000],
  ])(
    "with an interval of %i ms, %i failures and content %s is at most %i ms",
    (intervalMs, failures, hasContent, most) => {
      const wait = (random: number) => nextRefreshMs(intervalMs, failures, hasContent, random);
      expect(wait(1)).toBe(most);
      expect(wait(0)).toBe(failures === 0 ? most : most / 2);
    },
  );
});
