import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Limit } from "#agents";
import { rounds } from "../../../../../test/support/rounds.ts";
import { endOfPage, sizeOf, type TextKind, wholePosition } from "../../../src/mcp/describe/page-text.ts";

const UNITS = ["characters", "bytes", "json"] as const;

function pagesOf(
  text: string,
  count: number,
  kind: TextKind,
  unit: Limit["unit"] = "characters",
): readonly string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPage(text, start, { count, unit }, kind);
    expect(end).toBeGreaterThan(start);
    pages.push(text.slice(start, end));
    start = end;
  }
  return pages;
}

const CODE = "```sh\none\ntwo\n```\n";

const CASES: readonly (readonly [string, TextKind, number, string, readonly string[]])[] = [
  ["a text that fits is one page", "markdown", 9, "one\ntwo\n", ["one\ntwo\n"]],
  ["a page ends after a line", "markdown", 6, "one\ntwo\nsix", ["one\n", "two\n", "six"]],
  ["CRLF stays together", "plain", 6, "one\r\ntwo\r\n", ["one\r\n", "two\r\n"]],
  ["a code block is not split", "markdown", 20, `intro\n${CODE}`, ["intro\n", CODE]],
  [
    "outside of Markdown, fences are text",
    "plain",
    16,
    `intro\n${CODE}`,
    ["intro\n```sh\none\n", "two\n```\n"],
  ],
  ["text may begin right after a block", "markdown", 20, `${CODE}end\nof it\n`, [CODE, "end\nof it\n"]],
  ["a longer block is split after a line", "markdown", 12, CODE, ["```sh\none\n", "two\n```\n"]],
  [
    "a block that never closes is split after a line",
    "markdown",
    9,
    "a\n~~~\nb\nc\nd\n",
    ["a\n", "~~~\nb\nc\n", "d\n"],
  ],
  [
    "a fence in a list counts",
    "markdown",
    28,
    "- a\n- b\n\n      ```sh\n\n  x\n      ```\n",
    ["- a\n- b\n\n", "      ```sh\n\n  x\n      ```\n"],
  ],
  [
    "a shorter fence does not close",
    "markdown",
    21,
    "a\n````\n```\nb\n```\n````\n",
    ["a\n", "````\n```\nb\n```\n````\n"],
  ],
  [
    "another kind of fence does not close",
    "markdown",
    18,
    "a\nb\n~~~\n```\nc\n~~~\n",
    ["a\nb\n~~~\n```\nc\n~~~\n"],
  ],
  ["a code span is no fence", "markdown", 12, "```a``` b\nc\nd\n", ["```a``` b\nc\n", "d\n"]],
  [
    "indented code is not split",
    "markdown",
    22,
    "text\n\n    one\n\n    two\nmore\n",
    ["text\n\n", "    one\n\n    two\nmore\n"],
  ],
  ["a line that is too long is split between characters", "markdown", 3, "abcdefg", ["abc", "def", "g"]],
  ["a surrogate pair stays together", "plain", 3, "a😀😀b", ["a😀", "😀b"]],
  ["a family stays together", "plain", 12, "ab👩‍👩‍👧cd", ["ab👩‍👩‍👧cd"]],
  ["a family moves to the next page", "plain", 8, "ab👩‍👩‍👧cd", ["ab", "👩‍👩‍👧", "cd"]],
  ["flags stay together", "plain", 6, "🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]],
  ["an accent stays with its letter", "plain", 2, "ae\u0301o", ["a", "e\u0301", "o"]],
  ["a character longer than a page is split between code points", "plain", 4, "👩‍👩‍👧", ["👩‍", "👩‍", "👧"]],
  ["a page holds something in no room at all", "plain", 0, "a😀", ["a", "😀"]],
];

test.each(CASES)("%s", (_what, kind, count, text, pages) => {
  expect(pagesOf(text, count, kind)).toEqual(pages);
});

test.each([
  "",
  "plain",
  'a "quoted" \\ line\r\n\t\b\f',
  "\u0000\u001f\u007f",
  "é字😀",
  "\u007f\u0080\u07ff\u0800",
  "\ud7ff\ue000\u{10000}\u{10ffff}",
  "\ud800x\udc00",
  "\udbffx\udfff",
  "\u2028",
])("the size of %j is that of its bytes and of its JSON", (text) => {
  expect(sizeOf(text, "characters")).toBe(text.length);
  expect(sizeOf(text, "bytes")).toBe(Buffer.byteLength(text));
  expect(sizeOf(text, "json")).toBe(JSON.stringify(text).length - 2);
});

test.each([
  ["a😀b", 0, 0],
  ["a😀b", 1, 1],
  ["a😀b", 2, 1],
  ["a😀b", 3, 3],
  ["a😀b", 4, 4],
  ["😀", 1, 0],
])("in %s, the position %i is %i", (text, position, whole) => {
  expect(wholePosition(text, position)).toBe(whole);
});

const piece = fc.constantFrom(
  "a",
  "b",
  " ",
  "\n",
  "\r\n",
  "\n\n",
  "\n```\n",
  "\n```js\n",
  "\n````\n",
  "\n~~~\n",
  "\n    code",
  "\n- item",
  '"',
  "\\",
  "\t",
  "é",
  "字",
  "😀",
  "👩‍👩‍👧",
  "🇩🇪",
  "e\u0301",
  "\ud83d",
  "\ude00",
);
const text = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(""));
const kind = fc.constantFrom<TextKind>("markdown", "plain");

describe("pages of any text", () => {
  test("are together the text, and none is larger than the room", () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 6, max: 60 }),
        kind,
        fc.constantFrom(...UNITS),
        (whole, count, of, unit) => {
          const pages = pagesOf(whole, count, of, unit);
          expect(pages.join("")).toBe(whole);
          for (const page of pages) expect(sizeOf(page, unit)).toBeLessThanOrEqual(count);
        },
      ),
      rounds(400),
    );
  });

  test("end inside a line only where no line ends, and inside a character only where none ends", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 6, max: 60 }), kind, (whole, count, of) => {
        const pages = pagesOf(whole, count, of);
        const characters = new Set([...new Intl.Segmenter().segment(whole)].map(({ index }) => index));
        let start = 0;
        for (const page of pages.slice(0, -1)) {
          const end = start + page.length;
          expect(wholePosition(whole, end)).toBe(end);
          if (!page.endsWith("\n")) {
            expect(page).not.toContain("\n");
            const inside = [...characters].filter((at) => at > start && at <= end);
            if (characters.has(start) && inside.length > 0) expect(characters.has(end)).toBe(true);
          }
          start = end;
        }
      }),
      rounds(400),
    );
  });

  test("end inside a code block only where the page has nothing before it", () => {
    const block = fc
      .array(fc.constantFrom("a line", "", "    deep", "# no heading"), { maxLength: 6 })
      .map((lines) => ["```", ...lines, "```", ""].join("\n"));
    const prose = fc.constantFrom("word\n", "two words\n", "\n", "# Title\n");
    fc.assert(
      fc.property(
        fc.array(fc.oneof(block, prose), { maxLength: 12 }),
        fc.integer({ min: 12, max: 80 }),
        (parts, count) => {
          const whole = parts.join("");
          let at = 0;
          const blocks = parts.map((part) => ({ from: at, to: (at += part.length) }));
          let start = 0;
          for (const page of pagesOf(whole, count, "markdown")) {
            const end = start + page.length;
            const split = blocks.find(({ from, to }) => from < end && end < to);
            if (split !== undefined) expect(split.from).toBeLessThanOrEqual(start);
            start = end;
          }
        },
      ),
      rounds(400),
    );
  });
});

test("a megabyte of blank lines or fences takes no time worth mentioning", () => {
  for (const whole of ["\n".repeat(1_000_000), "```\n".repeat(250_000), `${" ".repeat(1_000_000)}x`]) {
    expect(endOfPage(whole, 0, { count: 500_000, unit: "json" }, "markdown")).toBeGreaterThan(200_000);
  }
});
