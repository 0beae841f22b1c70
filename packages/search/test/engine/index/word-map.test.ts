import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../../test/support/code-point.ts";
import { createWordMap } from "../../../src/engine/index/text-terms.ts";

function codesOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/** Numbers each different word, from 0. */
function numberingMap() {
  let count = 0;
  return createWordMap(() => count++);
}

test("equal words have one number, and others the next", () => {
  const word = fc.oneof(fc.string({ unit: codePoint, minLength: 1 }), fc.constantFrom("a", "b", "aa", "ab"));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const map = numberingMap();
      const known = new Map<string, number>();
      for (const one of words) {
        if (!known.has(one)) known.set(one, known.size);
        const text = codesOf(`${one}!`.padStart(one.length + 3, "?"));
        expect(map.get(text, 2, 2 + one.length)).toBe(known.get(one));
      }
    }),
  );
});

test("many words are found again, long ones too", () => {
  const map = numberingMap();
  const words = [...Array.from({ length: 20_000 }, (_, number) => `word${number}`), "z".repeat(100_000)];
  for (let round = 0; round < 2; round++) {
    const numbers = words.map((word) => map.get(codesOf(word), 0, word.length));
    expect(numbers).toEqual([...words.keys()]);
  }
});
