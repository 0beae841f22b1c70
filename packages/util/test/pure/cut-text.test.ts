import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutText, oneLine } from "../../src/pure/shown-text.ts";

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["", 0, ""],
  ["anything", 0, ""],
  ["anything", 1, "…"],
  ["anything", 2, "a…"],
  ["anything", 4, "any…"],
  ["one two three", 10, "one two…"],
  ["one two three", 8, "one two…"],
  ["a verylongwordthatgoeson", 12, "a verylongw…"],
  ["a space near the end", 12, "a space…"],
  ["abcdef ghijklmnop", 11, "abcdef ghi…"],
  ["abcdefg hijklmnop", 11, "abcdefg…"],
  ["\ud83d\ude00x\udbff\udfffyz", 5, "😀x…"],
  ["😀😀😀", 4, "😀…"],
  ["\u{10000}\u{10000}\u{10000}", 4, "\u{10000}…"],
  ["😀😀😀", 3, "😀…"],
  ["😀😀😀", 2, "…"],
])("'%s' cut to %i is '%s'", (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});

test("text on one line has no line break and no control character", () => {
  expect(oneLine("a\nb\u0007c\u2028d\u2029e é")).toBe("a b c d e é");
});

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(" ", "a", "😀", "é", "字"), fc.string({ unit: "grapheme", maxLength: 1 })),
  maxLength: 60,
});
const max = fc.integer({ min: 0, max: 80 });

test("text is never longer than its limit, and untouched when it fits", () => {
  fc.assert(
    fc.property(text, max, (whole, limit) => {
      const cut = cutText(whole, limit);
      expect(cut.length).toBeLessThanOrEqual(limit);
      if (whole.length <= limit) expect(cut).toBe(whole);
      else if (limit > 0) expect(cut.endsWith("…")).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a character outside the basic plane is never cut in half", () => {
  fc.assert(
    fc.property(text, max, (whole, limit) => {
      expect(loneSurrogates(cutText(whole, limit))).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test("cutText keeps the beginning of the text", () => {
  fc.assert(
    fc.property(text, max, (whole, limit) => {
      const cut = cutText(whole, limit);
      expect(whole.startsWith(cut === whole ? cut : cut.replace(/…$/, ""))).toBe(true);
    }),
  );
});

function loneSurrogates(value: string): number {
  return value.match(/\p{Cs}/gu)?.length ?? 0;
}
