import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  columnsOf,
  cutToColumns,
  padToColumns,
  printable,
  terminalWidth,
} from "../../../src/cli/render/columns.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["日本語", 6],
  ["한글", 4],
  ["ｆｕｌｌ", 8],
  ["ｶﾅ", 2],
  ["😀", 2],
  ["🦄 horn", 7],
  ["✅", 2],
  ["⭐", 2],
  ["❌", 2],
  ["⚡", 2],
  ["⏳", 2],
  ["…", 1],
  ["→", 1],
  ["─", 1],
  ["עברית", 5],
])("'%s' takes %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["one two", 5, "one…"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["😀😀", 3, "😀…"],
  ["😀😀", 2, "…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ["abc", 1, "…"],
])("'%s' cut to %i columns is '%s'", (text, columns, cut) => {
  expect(cutToColumns(text, columns)).toBe(cut);
});

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", " ", "字", "😀", "e\u0301"),
    fc.string({ unit: "grapheme", maxLength: 1 }),
  ),
  maxLength: 40,
});
/** Any UTF-16 units, lone surrogates included. */
const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
const width = fc.integer({ min: 1, max: 50 });

describe("any text", () => {
  test("that is cut takes no more columns than it may, and is untouched when it fits", () => {
    fc.assert(
      fc.property(text, width, (whole, columns) => {
        const cut = cutToColumns(whole, columns);
        expect(columnsOf(cut)).toBeLessThanOrEqual(columns);
        if (columnsOf(whole) <= columns) expect(cut).toBe(whole);
        expect(cut).not.toMatch(/\p{Cs}/u);
      }),
      { numRuns: 300 },
    );
  });

  test("that is padded takes exactly the columns asked for, or its own", () => {
    fc.assert(
      fc.property(text, width, (whole, columns) => {
        const padded = padToColumns(whole, columns);
        expect(columnsOf(padded)).toBe(Math.max(columns, columnsOf(whole)));
        expect(padded.startsWith(whole)).toBe(true);
      }),
    );
  });

  test("that is printable holds nothing that moves the cursor", () => {
    fc.assert(
      fc.property(anyUnits, (whole) => {
        expect(printable(whole)).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
        expect(printable(printable(whole))).toBe(printable(whole));
      }),
    );
  });
});

test.each([
  ["plain text stays", "plain text stays"],
  ["two\nlines", "two�lines"],
  ["\u001B[2Jgone", "�[2Jgone"],
  ["bell\u0007", "bell�"],
  ["c1\u009B31m", "c1�31m"],
  ["bidi\u202Etxet", "bidi�txet"],
  ["日本語 😀 é", "日本語 😀 é"],
])("%j is printed as '%s'", (whole, printed) => {
  expect(printable(whole)).toBe(printed);
});

test.each([
  ["a terminal has its columns", { isTTY: true, columns: 80 }, 80],
  ["a terminal that says 0 has no limit", { isTTY: true, columns: 0 }, undefined],
  ["a terminal that does not tell has no limit", { isTTY: true }, undefined],
  ["a pipe has no limit", { columns: 80 }, undefined],
])("%s", (_, stream, width) => {
  expect(terminalWidth(stream)).toBe(width);
});
