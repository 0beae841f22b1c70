import { describe, expect, test } from "vitest";
import { confidenceOf, verdictOf } from "../../../../src/search/engine/rank/confidence.ts";

const result = (score: number, coverage = 1) => ({
  view: 0,
  doc: 0,
  id: "a",
  counts: new Uint16Array(),
  score,
  coverage,
});

describe("confidence", () => {
  test.each([
    ["nothing was found", [], 1, 0, 0],
    ["one skill has the name", [result(10), result(9)], 1, 1, 1],
    ["two skills have the name", [result(10), result(9)], 1, 2, 0.5],
    ["ten skills have the name", [result(10), result(9)], 1, 10, 0.3],
    ["two are equal", [result(1), result(1)], 1, 0, 0.189],
    ["one is ahead", [result(2), result(1)], 1, 0, 0.72],
    ["there is no second", [result(1)], 1, 0, 0.72],
    ["the first covers half of the query", [result(2, 0.5), result(1)], 1, 0, 0.667],
    ["many words were searched", [result(2), result(1)], 20, 0, 0.854],
  ] as const)("when %s", (_when, results, words, named, confidence) => {
    expect(confidenceOf(results, words, named)).toBeCloseTo(confidence, 3);
  });
});

test.each([
  [1, "match"],
  [0.8, "match"],
  [0.799, "ambiguous"],
  [0.3, "ambiguous"],
  [0.299, "no_match"],
  [0, "no_match"],
])("a confidence of %f is %s", (confidence, verdict) => {
  expect(verdictOf(confidence)).toBe(verdict);
});
