import { describe, expect, test } from "vitest";
import { createIndexBuilder, updateIndex } from "../../../src/engine/index/search-index.ts";
import { canCorrect, correctTerm } from "../../../src/engine/rank/resolve-terms.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

function indexOf(...bodies: readonly string[]) {
  const builder = createIndexBuilder();
  for (const [number, body] of bodies.entries()) builder.add(doc(`s${number}`, { name: "x", body }));
  return runToEnd(builder.finish());
}

const INDEX = indexOf("cluster zebra kangaroo bolt", "bold bolt", "boat");

describe("an unknown word is corrected", () => {
  test.each([
    ["to a term one edit away", "clustr", "cluster"],
    ["to a term with two letters swapped", "zerba", "zebra"],
    ["to no term two edits away when it is short", "clxxter", null],
    ["to a term two edits away from eight letters on", "kangxxoo", "kangaroo"],
    ["to no term three edits away", "kaxxxroo", null],
    ["to no term with another first letter", "yebra", null],
    ["to the term in more documents", "bolx", "bolt"],
    ["to the nearer of two terms", "boltx", "bolt"],
  ])("%s", (_what, unknown, known) => {
    expect(correctTerm(INDEX, unknown)).toBe(known);
  });

  test("a typo is corrected to the first by spelling of equally near and frequent terms", () => {
    expect(correctTerm(indexOf("bolt bold"), "bolz")).toBe("bold");
  });

  test("a typo is not corrected to a term that only removed documents have", () => {
    const index = runToEnd(
      updateIndex(INDEX, { removed: ["s0"], added: [doc("s9", { body: "bold boat" })] }),
    );
    expect(correctTerm(index, "clustr")).toBeNull();
    expect(correctTerm(index, "bolx")).toBe("bold");
  });
});

test.each([
  ["abc", false],
  ["abcd", true],
  ["a".repeat(24), true],
  ["a".repeat(25), false],
  ["ab1d", false],
  ["Abcd", false],
])("%s is a word that can be mistyped: %s", (term, expected) => {
  expect(canCorrect(term)).toBe(expected);
});
