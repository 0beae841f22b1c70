import { expect, test } from "vitest";
import { hasUsage } from "../../src/wire/has-usage.ts";

const NOTHING = {
  events: 0,
  suggested: 0,
  searched: 0,
  served: 0,
  assets: 0,
  scripts: 0,
  noMatch: 0,
  ambiguous: 0,
  errors: 0,
};

test.each([
  ["nothing", {}, false],
  ["a refresh from the dashboard, which is an event", { events: 1 }, false],
  ["a refresh that failed", { events: 1, errors: 1 }, false],
  ["a load", { events: 1, served: 1 }, true],
  ["a suggestion of a hook", { events: 1, suggested: 1 }, true],
  ["a search with no match", { events: 1, searched: 1, noMatch: 1 }, true],
])("%s", (_what, totals, expected) => {
  expect(hasUsage({ totals: { ...NOTHING, ...totals } })).toBe(expected);
});
