import { describe, expect, test } from "vitest";
import { confidenceOf, verdictOf } from "../../../src/engine/rank/floor.ts";

const result = (score: number, coverage = 1) => ({
  view: 0,
  doc: 0,
  id: "a",
  counts: new Uint16Array(),
  score,
  lexical: score,
  head: 0,
  passage: 0,
  coverage,
});

describe("confidence", () => {
  test.each([
    ["nothing was found", [], 1, 0, 0],
    ["one skill has the name", [result(10), result(9)], 1, 1, 1],
    ["two skills have the name", [result(10), result(9)], 1, 2, 0.5],
    ["ten skills have the name", [result(10), result(9)], 1, 10, 0.3],
    ["two are equal", [result(1), result(1)], 1, 0, 0.356],
    ["one is ahead", [result(2), result(1)], 1, 0, 0.713],
    ["there is no second", [result(1)], 1, 0, 0.713],
    ["the first covers half of the query", [result(2, 0.5), result(1)], 1, 0, 0.552],
    ["many words were searched", [result(2), result(1)], 20, 0, 0.834],
  ] as const)("when %s", (_when, results, words, named, confidence) => {
    expect(confidenceOf(results[0], results[1], words, named)).toBeCloseTo(confidence, 3);
  });
});

test.each([
  [1, true, "match"],
  [0.8, true, "match"],
  [0.799, true, "ambiguous"],
  [0, true, "ambiguous"],
  [1, false, "no_match"],
])("a confidence of %f in what fits (%s) is %s", (confidence, fits, verdict) => {
  expect(verdictOf(confidence, fits)).toBe(verdict);
});
