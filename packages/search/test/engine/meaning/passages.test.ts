import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passagesOf } from "../../../src/engine/meaning/document-meaning.ts";

const lengths = (text: string): readonly number[] => passagesOf(text).map((passage) => passage.length);
const line = (length: number): string => `${"x".repeat(length - 1)}\n`;

describe("the passages of a text", () => {
  test("passages of a short text are the text, of an empty one none", () => {
    expect(passagesOf("One line.\nAnother.")).toEqual(["One line.\nAnother."]);
    expect(passagesOf("")).toEqual([]);
  });

  test.each([
    ["a heading", "Text.\n# One\nA\n###### Six\nB", ["Text.\n", "# One\nA\n", "###### Six\nB"]],
    ["a heading at the start", "# One\nA", ["# One\nA"]],
    ["no seventh level", "Text.\n####### Seven\nA", ["Text.\n####### Seven\nA"]],
    ["no hash without a space", "Text.\n#tag\nA", ["Text.\n#tag\nA"]],
    ["no hash inside a line", "Text # here\nA", ["Text # here\nA"]],
  ])("begin at %s", (_what, text, expected) => {
    expect(passagesOf(text)).toEqual(expected);
  });

  test.each([
    ["lines of 900 characters together are one", [line(450), line(450), line(10)], [900, 10]],
    ["one more character is too many", [line(450), line(451)], [450, 451]],
    ["a line of up to 1,200 stays whole", [line(1200), line(10)], [1200, 10]],
    ["a longer line without a space is cut at 900", [line(1201)], [900, 301]],
    ["a very long line is cut as often as it takes", [line(3000)], [900, 900, 1200]],
    ["what is left of a long line goes on with the next", [line(1201), line(10)], [900, 311]],
    ["a long line does not join the one before", [line(10), line(1201)], [10, 900, 301]],
  ])("%s", (_what, lines, expected) => {
    expect(lengths(lines.join(""))).toEqual(expected);
  });

  test.each([
    ["after the last space within 900 characters", `${"x".repeat(500)} ${"y".repeat(800)}`, [501, 800]],
    ["after a space that is character 901", `${"x".repeat(900)} ${"y".repeat(400)}`, [901, 400]],
    ["anywhere when its only space is the first character", ` ${"x".repeat(1300)}`, [900, 401]],
  ])("a long line is cut %s", (_where, text, expected) => {
    expect(lengths(text)).toEqual(expected);
  });

  test("passages make up the text, and none is longer than 1,200 characters", () => {
    const piece = fc.constantFrom("# Heading\n", "word ", "\n", "x".repeat(700), "y".repeat(1300), "#", "é");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const passages = passagesOf(pieces.join(""));
        expect(passages.join("")).toBe(pieces.join(""));
        for (const { length } of passages) expect(length > 0 && length <= 1200).toBe(true);
      }),
    );
  });
});
