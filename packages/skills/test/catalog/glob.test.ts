import * as fc from "fast-check";
import { expect, test } from "vitest";
import { globMatches } from "../../src/catalog/filter.ts";

test.each([
  ["pdf", "pdf", true],
  ["pdf", "pdfs", false],
  ["pdf", "apdf", false],
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["*", "anything at all", true],
  ["**", "", true],
  ["?", "", false],
  ["?", "a", true],
  ["?", "ab", false],
  ["pdf*", "pdf", true],
  ["pdf*", "pdf-tools", true],
  ["*pdf", "my-pdf", true],
  ["*pdf", "my-pdf2", false],
  ["*pdf*", "a-pdf-b", true],
  ["p?f", "pdf", true],
  ["p?f", "pf", false],
  ["a*b*c", "aXbYbZc", true],
  ["a*b*c", "aXbYb", false],
  ["*a*a*a", "aa", false],
  ["a?*", "a", false],
  ["a?*", "ab", true],
  ["[ab]", "a", false],
  ["[ab]", "[ab]", true],
  ["a.c", "abc", false],
  ["p?f", "p字f", true],
  ["p?f", "p😀f", true],
])("the glob '%s' and the name '%s': %s", (pattern, text, matches) => {
  expect(globMatches(pattern, text)).toBe(matches);
});

test("a glob matches what the obvious recursive matcher matches", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "?"), maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (p, t) => {
      expect(globMatches(p, t)).toBe(naiveMatches(p, t));
    }),
    { numRuns: 2000 },
  );
});

test("a hostile pattern answers although a backtracking matcher would not", () => {
  expect(globMatches(`${"*a".repeat(500)}b`, "a".repeat(5000))).toBe(false);
});

function naiveMatches(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const rest = pattern.slice(1);
  if (pattern.startsWith("*")) {
    return naiveMatches(rest, text) || (text !== "" && naiveMatches(pattern, text.slice(1)));
  }
  if (text === "") return false;
  return (pattern.startsWith("?") || pattern[0] === text[0]) && naiveMatches(rest, text.slice(1));
}
