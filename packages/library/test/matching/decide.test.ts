import { describe, expect, test } from "vitest";
import { decide, roundScore } from "../../src/matching/match-skills.ts";
import { librarySkill } from "./library-skills.ts";

const DEFAULTS = { ambiguityThreshold: 0.1, maxResults: 3 };

const results = (...scores: readonly number[]) =>
  scores.map((score, at) => ({ skill: librarySkill(`s${at}`), score, matchedKeywords: [] }));

describe("seed 004 §5.3: what is answered", () => {
  test("nothing, when nothing matches", () => {
    expect(decide([], DEFAULTS)).toEqual({ kind: "none" });
  });

  test("the only match, however low", () => {
    const [only] = results(0.2);
    expect(decide(results(0.2), DEFAULTS)).toEqual({ kind: "match", result: only });
  });

  test.each([
    [0.55, 0.5, "ambiguous"],
    [0.5, 0.5, "ambiguous"],
    [0.5, 0.401, "ambiguous"],
    // 0.5 − 0.4 is 0.09999999999999998, 0.3 − 0.2 and 0.8 − 0.7 are below 0.1 as well.
    [0.5, 0.4, "match"],
    [0.3, 0.2, "match"],
    [0.8, 0.7, "match"],
    [0.875, 0.5, "match"],
    [Number.POSITIVE_INFINITY, 1, "match"],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, "ambiguous"],
  ])("for %s and %s, with a threshold of 0.1: %s", (first, second, kind) => {
    expect(decide(results(first, second), DEFAULTS).kind).toBe(kind);
  });

  test("up to so many candidates, best first, whatever the distance of the others", () => {
    const all = results(0.5, 0.5, 0.3, 0.25);
    expect(decide(all, DEFAULTS)).toEqual({ kind: "ambiguous", candidates: all.slice(0, 3) });
    expect(decide(all, { ...DEFAULTS, maxResults: 10 })).toEqual({ kind: "ambiguous", candidates: all });
  });

  test("the first of two that score the same, when no distance is asked for", () => {
    const [first] = results(0.5, 0.5);
    expect(decide(results(0.5, 0.5), { ...DEFAULTS, ambiguityThreshold: 0 })).toEqual({
      kind: "match",
      result: first,
    });
  });
});

test.each([
  [0.1 + 0.2, 0.3],
  [2 / 3, 0.667],
  [0.5 + 50 * 0.001, 0.55],
  [1, 1],
  [-0.0014, -0.001],
])("a score of %s is shown as %s", (score, shown) => {
  expect(roundScore(score)).toBe(shown);
});
