import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  columnsOf,
  cutToColumns,
  fitLines,
  padToColumns,
  renderDefinitions,
  renderTable,
} from "../../src/render/layout.ts";

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
  ["🇩🇪", 2],
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
});

describe("a table", () => {
  const columns = [
    { title: "NAME", most: 10, least: 4 },
    { title: "COUNT", align: "right" },
    { title: "TEXT" },
  ] as const;
  const rows = [
    ["pdf", "7", "Reads."],
    ["a-very-long-name", "12", "Writes."],
  ];
  const plain = (text: string) => text;

  test("without a terminal cuts nothing: a long cell runs over in its own line", () => {
    expect(renderTable(columns, rows, undefined, plain)).toEqual([
      "NAME        COUNT  TEXT",
      "pdf             7  Reads.",
      "a-very-long-name     12  Writes.",
    ]);
  });

  test("on a terminal cuts the columns that may be cut", () => {
    expect(renderTable(columns, rows, 24, plain)).toEqual([
      "NAME      COUNT  TEXT",
      "pdf           7  Reads.",
      "a-very-…     12  Writes.",
    ]);
  });

  test("leaves optional columns out where not everything fits", () => {
    const optional = [
      { title: "NAME", least: 3 },
      { title: "WHERE", optional: true },
      { title: "TEXT", least: 5 },
    ];
    const lines = (width: number) =>
      renderTable(optional, [["pdf", "project", "Reads PDF files"]], width, plain);
    expect(lines(20)).toEqual(["NAME  WHERE    TEXT", "pdf   project  Read…"]);
    expect(lines(14)).toEqual(["NAME  TEXT", "pdf   Reads P…"]);
  });
});

describe("definitions", () => {
  const rows = [
    ["list", "list all the skills that agents are served here"],
    ["info <name>", "show one"],
  ] as const;
  const plain = (text: string) => text;

  test("stand side by side, and their meaning is wrapped", () => {
    expect(renderDefinitions(rows, undefined, plain)).toEqual([
      "  list         list all the skills that agents are served here",
      "  info <name>  show one",
    ]);
    expect(renderDefinitions(rows, 58, plain)).toEqual([
      "  list         list all the skills that agents are served",
      "               here",
      "  info <name>  show one",
    ]);
  });

  test("stand below each other on a narrow terminal", () => {
    expect(renderDefinitions(rows, 30, plain)).toEqual([
      "  list",
      "      list all the skills that",
      "      agents are served here",
      "  info <name>",
      "      show one",
    ]);
  });
});

describe("lines that fit a terminal", () => {
  test.each([
    ["a sentence that is long", 12, "a sentence\nthat is long"],
    ["  an item that is long", 12, "  an item\n    that is\n    long"],
    ["Label   one two three", 16, "Label   one two\n        three"],
    ["  4 × error   pdf, docx", 20, "  4 × error   pdf,\n    docx"],
    ["unbreakablewordofalongname", 10, "unbreakablewordofalongname"],
    ["\u001B[2mLabel \u001B[22m  one two three", 16, "\u001B[2mLabel \u001B[22m  one two\n        three"],
    ["日本 日本 日本", 10, "日本 日本\n日本"],
  ])("%j in %i columns", (text, width, expected) => {
    expect(fitLines(text, width)).toBe(expected);
    expect(fitLines(text, undefined)).toBe(text);
  });

  test("no word is lost or cut, and only a word that is too long is too wide", () => {
    const word = fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll(/\s/g, "x"));
    const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), fc.integer({ min: 30, max: 80 }), (lines, width) => {
        const fitted = fitLines(lines.join("\n"), width);
        const words = (text: string) => text.split(/\s+/).filter((one) => one !== "");
        expect(words(fitted)).toEqual(words(lines.join("\n")));
        for (const one of fitted.split("\n")) expect(columnsOf(one)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
