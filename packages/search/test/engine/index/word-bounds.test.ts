import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../../test/support/code-point.ts";
import {
  type Characters,
  noCharacters,
  readText,
  wordEnd,
  wordStart,
} from "../../../src/engine/index/text-terms.ts";
import { wordsOf } from "../../../src/engine/words/analyse.ts";

function wordsIn(text: string, characters: Characters): readonly string[] {
  readText(characters, text);
  const found: string[] = [];
  for (let start = wordStart(characters, 0), end = 0; start < text.length; ) {
    end = wordEnd(characters, start);
    found.push(text.slice(start, end));
    start = wordStart(characters, end);
  }
  return found;
}

test("words are those of the expression that describes them, in one text after another", () => {
  const piece = fc.constantFrom(
    ...["c++", "C#", "f#x", ".net", ".NETs", ".nEt", "node.js", ".jS_", "a.jsx", "é", "e\u0301", "数据"],
    ...["𝒜", "𠀀", "\ud835", "\udc9c", "😀", "_", ".", "#", "+", " ", "٣", "①", "\0"],
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ unit: codePoint })), { maxLength: 12 })
    .map((parts) => parts.join(""));
  const characters = noCharacters();
  fc.assert(
    fc.property(text, (one) => {
      expect(wordsIn(one, characters)).toEqual(wordsOf(one));
    }),
    { numRuns: 700 },
  );
});

test.each([
  ["names with signs", "c++ C++11 c+ d++ c# F# f#1 g# cc# x+", "c++ C++ 11 c d c# F# f 1 g cc x"],
  [
    "names with a dot",
    ".net .NET .Net .nEt .nets .xet .net_ a.net",
    ".net .NET .Net nEt nets xet .net _ a .net",
  ],
  [
    "names before a dot",
    "node.js Node.JS a.jsx a.xs a.j a.js_ .js",
    "node.js Node.JS a jsx a xs a j a.js _ js",
  ],
  ["a sign and letters that only look like an end", "a js a-js a#js a net", "a js a js a js a net"],
  ["letters at the ends of their ranges", "az AZ 09 @[`{/:", "az AZ 09"],
  ["underscores", "_a a_b _", "_a a_b _"],
  ["marks", "e\u0301a \u0301", "e\u0301a \u0301"],
  ["the first and last halves of pairs", "\u{10000}a \u{203ff} \u{1f600}", "\u{10000}a \u{203ff}"],
  ["halves without the other", "\ud800 \udfff\udc00a", "a"],
  ["a word at the very end", "a .net", "a .net"],
])("%s", (_what, text, words) => {
  expect(wordsIn(text, noCharacters()).join(" ")).toBe(words);
  expect(wordsOf(text).join(" ")).toBe(words);
});

test("there are no words before a text is read, and none of a longer one read before", () => {
  const characters = noCharacters();
  expect(wordStart(characters, 0)).toBe(0);
  expect(wordsIn("form forms".repeat(50), characters)).toHaveLength(51);
  expect(wordsIn("é a", characters)).toEqual(["é", "a"]);
  expect(wordsIn("b", characters)).toEqual(["b"]);
});
