import { expect, test } from "vitest";
import { MOST_USAGE_DAYS, usageSpan } from "../../src/stats/likely-use.ts";

const NOON = Date.UTC(2026, 10, 16, 12);

test.each([
  ["1d", "2026-11-16"],
  ["2d", "2026-11-15"],
  ["7d", "2026-11-10"],
  ["30d", "2026-10-18"],
  [`${MOST_USAGE_DAYS}d`, "2016-11-19"],
  ["2026-11-16", "2026-11-16"],
  ["2026-11-01", "2026-11-01"],
  ["2024-02-29", "2024-02-29"],
])("%s begins on %s and ends today", (since, first) => {
  expect(usageSpan(since, NOON)).toEqual({ since: first, until: "2026-11-16" });
});

test.each([
  "0d",
  `${MOST_USAGE_DAYS + 1}d`,
  "d",
  "-1d",
  "1.5d",
  "7",
  "7D",
  " 7d",
  "2026-11-17",
  "2026-02-30",
  "2026-13-01",
  "2016-11-18",
  "2016-11-1",
  "today",
  "",
])("%j is no span", (since) => {
  expect(usageSpan(since, NOON)).toBeUndefined();
});

test("a day begins at midnight UTC", () => {
  const midnight = Date.UTC(2026, 10, 16);
  expect(usageSpan("2d", midnight)).toEqual({ since: "2026-11-15", until: "2026-11-16" });
  expect(usageSpan("2d", midnight - 1)).toEqual({ since: "2026-11-14", until: "2026-11-15" });
});
