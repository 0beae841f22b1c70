import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../test/support/code-point.ts";
import { countWords, excerptOf, foldCase, queryWords, weighAllWords } from "../../src/catalog/all-words.ts";

test.each([
  ["bd ready", ["bd", "ready"]],
  ["  Two\t words\r\n", ["two", "words"]],
  ["ÉCOLE", ["école"]],
  ["E\u0301cole", ["école"]],
  ["a\u00A0b", ["a\u00A0b"]],
  ["", []],
  [" \n ", []],
])("the words of %j are %j", (query, words) => {
  expect(queryWords(query)).toEqual(words);
});

describe("every word must be in the skill", () => {
  const texts = {
    names: "notes\nnote keeper",
    description: "keeps notes",
    body: "use bd ready to find issues.",
  };
  test.each([
    ["bd ready", 2],
    ["note", 3],
    ["keeps", 2],
    ["note issues", 4],
    ["note nothing", undefined],
    ["note note", 6],
  ])("%j weighs %j", (query, weight) => {
    expect(weighAllWords(texts, countWords(queryWords(query)))).toBe(weight);
  });
});

describe("an excerpt", () => {
  test("shows about eighty characters on each side of the first hit, on one line", () => {
    const body = `${"a ".repeat(100)}\nuse bd ready\nnow ${"z ".repeat(100)}`;
    const excerpt = excerptOf(body, ["bd"]);
    expect(excerpt).toContain("use bd ready now");
    expect(excerpt?.length).toBeLessThanOrEqual(162);
    expect(excerpt).not.toContain("\n");
  });

  test("keeps the case of the body, which does not count for a hit", () => {
    expect(excerptOf("The Needle HERE", ["needle"])).toBe("The Needle HERE");
  });

  test("has no white space around it", () => {
    expect(excerptOf("\n  a  needle \t", ["needle"])).toBe("a needle");
  });

  test("is for the first word that the body holds, and undefined when it holds none", () => {
    expect(excerptOf("only beta here", ["alpha", "beta"])).toBe("only beta here");
    expect(excerptOf("nothing", ["alpha"])).toBeUndefined();
  });

  test("finds the place although folding made the text before it longer", () => {
    const body = `${"İ".repeat(300)} the needle ${"x".repeat(300)}`;
    expect(excerptOf(body, ["needle"])).toContain("the needle xxx");
    const exact = `İ${"a".repeat(99)}needle`;
    expect(excerptOf(exact, ["needle"])).toBe(`${"a".repeat(80)}needle`);
  });

  test.each([
    ["where it begins", `${"x".repeat(2)}😀${"x".repeat(79)}needle`, `😀${"x".repeat(79)}needle`],
    ["where it ends", `needle${"x".repeat(79)}😀xx`, `needle${"x".repeat(79)}😀`],
    [
      "whose second half is the first or last of its kind",
      `\ud83d\udc00${"x".repeat(79)}needle${"x".repeat(79)}\ud83d\udfffx`,
      `\ud83d\udc00${"x".repeat(79)}needle${"x".repeat(79)}\ud83d\udfff`,
    ],
  ])("is longer by half a character %s", (_what, body, excerpt) => {
    expect(excerptOf(body, ["needle"])).toBe(excerpt);
  });

  test("shows 80 characters on each side", () => {
    expect(excerptOf(`${"a".repeat(100)}needle${"b".repeat(100)}`, ["needle"])).toBe(
      `${"a".repeat(80)}needle${"b".repeat(80)}`,
    );
  });

  test("never splits a character, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint, maxLength: 400 }),
        fc.string({ unit: codePoint, maxLength: 400 }),
        (before, after) => {
          // The space keeps a combining mark from becoming a part of the word.
          const excerpt = excerptOf(`${before}needle ${after}`, ["needle"]);
          expect(excerpt).toBeDefined();
          expect(() => encodeURIComponent(excerpt ?? "")).not.toThrow();
          expect(foldCase(excerpt ?? "")).toContain("needle");
        },
      ),
    );
  });
});
