import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldCase } from "../../src/catalog/all-words.ts";
import { bestExcerpt } from "../../src/catalog/excerpt.ts";

describe("bestExcerpt", () => {
  test.each([
    ["no word is found", "one two three four", ["five"], 9, { text: "one two…", found: 0 }],
    ["everything fits", "  one\n\ttwo  ", ["two"], 20, { text: "one two", found: 1 }],
    ["the words are at the end", "a b c d e f g h i needle", ["needle"], 12, { text: "…i needle", found: 1 }],
    ["the first of two passages is as good", "pin x pin x pin", ["pin"], 6, { text: "pin…", found: 1 }],
    [
      "a word inside another does not count",
      "prepaid paid",
      ["paid"],
      20,
      { text: "prepaid paid", found: 1 },
    ],
    ["a word follows a single letter", "apin", ["pin"], 20, { text: "apin", found: 0 }],
    ["a word is longer than the passage", "abcdefgh abc", ["abcdefgh", "abc"], 4, { text: "ab…", found: 1 }],
  ])("when %s", (_, text, words, length, expected) => {
    expect(bestExcerpt(text, words, length)).toEqual(expected);
  });

  test("begins where the obvious way to look for the best passage does", () => {
    // None is the beginning of another.
    const piece = fc.constantFrom(
      "pdf",
      "PDF",
      "form",
      "a",
      "é",
      "合",
      "x".repeat(30),
      " ",
      "\n\n",
      "\u00a0",
      ". ",
    );
    const words = fc.array(fc.constantFrom("pdf", "form", "é", "合", "x".repeat(30), "a"), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 120 }),
        words,
        fc.integer({ min: 4, max: 60 }),
        (pieces, wanted, length) => {
          const text = pieces.join("");
          expect(bestExcerpt(text, wanted, length).found).toBe(mostWords(text, wanted, length));
        },
      ),
    );
  });

  test("is on one line whatever white space the text has", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "\t", "\n", "\r", "\u2003", "b") }), (text) => {
        expect(bestExcerpt(text, [], 1_000).text).toBe(text.replace(/\s+/g, " ").trim());
      }),
    );
  });
});

/** How many of the words the best passage has, by looking at the passage that each place of a word begins. */
function mostWords(text: string, words: readonly string[], length: number): number {
  const line = foldCase(text).replace(/\s+/g, " ").trim();
  let most = 0;
  for (let at = 0; at < line.length; at++) {
    const found = new Set(words.map(foldCase).filter((word) => startsAt(line, at, word, length)));
    if (found.size === 0) continue;
    for (let next = at + 1; next < at + length; next++) {
      for (const word of words.map(foldCase))
        if (startsAt(line, next, word, at + length - next)) found.add(word);
    }
    most = Math.max(most, found.size);
  }
  return most;
}

function startsAt(line: string, at: number, word: string, room: number): boolean {
  const isStart = at === 0 || line.charCodeAt(at) > 0x2e7f || !/[\p{L}\p{N}]/u.test(line.charAt(at - 1));
  return isStart && word.length <= room && line.startsWith(word, at);
}
