import fc from "fast-check";
import { expect, test } from "vitest";
import { createWordFinder } from "../../src/audit/text/find-words.ts";

const LETTERS = ["a", "b", "A", "!", " ", "\n", "잊", "\u{1f600}"];
const text = (most: number) =>
  fc.array(fc.constantFrom(...LETTERS), { maxLength: most }).map((letters) => letters.join(""));

test("the line of every place of every word is found, as a plain search finds them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(text(5), { maxLength: 8 }), text(40), (all, searched) => {
      const words = all.filter((word) => word !== "");
      const found: string[] = [];
      createWordFinder(words)(searched, (word, line) => found.push(`${line} ${word}`));
      const plain = Array.from({ length: searched.length }, (_, at) => {
        const line = searched.slice(0, at).split("\n").length;
        return words.filter((word) => searched.startsWith(word, at)).map((word) => `${line} ${word}`);
      }).flat();
      expect(found.sort()).toEqual(plain.sort());
    }),
    { numRuns: 500 },
  );
});

test("lines ascend", () => {
  const lines: number[] = [];
  createWordFinder(["a", "ab", "\nb"])("ab\nb\nab a\na", (_word, line) => lines.push(line));
  expect(lines).toEqual([1, 1, 1, 3, 3, 3, 4]);
});
