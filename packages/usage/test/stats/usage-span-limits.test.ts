import { expect, test } from "vitest";
import { usageSpan } from "../../src/stats/likely-use.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  ["1d", "2026-03-01"],
  ["2d", "2026-02-28"],
  ["7d", "2026-02-23"],
  ["3650d", "2016-03-04"],
  ["2026-03-01", "2026-03-01"],
  ["2026-02-28", "2026-02-28"],
  ["2016-03-04", "2016-03-04"],
])("%s begins on %s and ends today", (since, day) => {
  expect(usageSpan(since, NOW)).toEqual({ since: day, until: "2026-03-01" });
});

test.each([
  ["no days", "0d"],
  ["more days than ten years", "3651d"],
  ["six digits", "000001d"],
  ["a day that is yet to come", "2026-03-02"],
  ["a day more than ten years ago", "2016-03-03"],
  ["a day that does not exist", "2026-02-29"],
  ["a date without leading zeros", "2026-3-1"],
  ["a unit that is not days", "7w"],
  ["text around the days", " 7d"],
  ["nothing", ""],
])("%s is no span", (_what, since) => {
  expect(usageSpan(since, NOW)).toBeUndefined();
});

test("days are days of UTC", () => {
  expect(usageSpan("1d", Date.parse("2026-03-01T00:00:00Z"))?.since).toBe("2026-03-01");
  expect(usageSpan("1d", Date.parse("2026-02-28T23:59:59Z"))?.since).toBe("2026-02-28");
});
