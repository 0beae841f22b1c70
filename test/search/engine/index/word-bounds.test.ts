import fc from "fast-check";
import { expect, test } from "vitest";
import {
  noCharacters,
  readText,
  wordEnd,
  wordStart,
} from "../../../../src/search/engine/index/word-bounds.ts";
import { wordsOf } from "../../../../src/search/engine/words/analyse.ts";
import { codePoint } from "../../../support/code-point.ts";

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
      readText(characters, one);
      const found: string[] = [];
      for (let start = wordStart(characters, 0), end = 0; start < one.length; ) {
        end = wordEnd(characters, start);
        found.push(one.slice(start, end));
        start = wordStart(characters, end);
      }
      expect(found).toEqual(wordsOf(one));
    }),
    { numRuns: 700 },
  );
});
