import { describe, expect, test } from "vitest";
import {
  cutFields,
  lineOfKey,
  readKeyLine,
  seesNameAndDescription,
} from "../../../src/skill/front-matter/key-lines.ts";

describe("a line that begins a field", () => {
  test.each([
    ["name: a", { key: "name", indent: 0, value: "a", proper: true }],
    ["name:  a \t", { key: "name", indent: 0, value: "a", proper: true }],
    ["name:", { key: "name", indent: 0, value: "", proper: true }],
    [" tags : [a]", { key: "tags", indent: 1, value: "[a]", proper: true }],
    ["\t\tuser-invocable: no", { key: "user-invocable", indent: 2, value: "no", proper: true }],
    ["name:a", { key: "name", indent: 0, value: "a", proper: false }],
    ["  description：a", { key: "description", indent: 2, value: "a", proper: false }],
  ])("%j", (line, expected) => {
    expect(readKeyLine(line)).toEqual(expected);
  });

  test.each(["", "text", "- a", "https://example.com", "two words: a", "1st: a", "# name: a"])(
    "%j is none",
    (line) => {
      expect(readKeyLine(line)).toBeUndefined();
    },
  );
});

test.each([
  ["name", { line: 5 }],
  ["inner", { line: 7 }],
  ["other", {}],
])("the line of the field %s in a block that begins on line 5 is %j", (key, place) => {
  expect(lineOfKey(key, "name: a\nmetadata:\n  inner: b", 5)).toStrictEqual(place);
});

test.each([
  [["name: a", "description: b"], true],
  [["description : b", "license: c", "name\t: a"], true],
  [["name: a", "license: c"], false],
  [["description: b"], false],
  [["name: a", "  description: b"], false],
  [[], false],
])("the lines %j have both fields that every skill needs: %s", (lines, both) => {
  expect(seesNameAndDescription(lines)).toBe(both);
});

/** The keys of the fields, each with the text that belongs to it. */
const cut = (...lines: readonly string[]) =>
  cutFields(lines.join("\n")).map(({ key, first, rest }) => [key, [first, ...rest].join("|")]);

describe("a broken block is cut into the fields that a person sees", () => {
  test.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    [
      "a word in capitals below a value on one line is a field",
      ["a: b", "Note: c"],
      [
        ["a", "b"],
        ["Note", "c"],
      ],
    ],
    ["below text at the margin it is a sentence", ["a: b", "more", "Note: c"], [["a", "b|more|Note: c"]]],
    [
      "below a blank line it is a field",
      ["a: b", "", "Note: c"],
      [
        ["a", "b|"],
        ["Note", "c"],
      ],
    ],
    [
      "below a comment it is a field",
      ["a: b", "# more", "Note: c"],
      [
        ["a", "b|# more"],
        ["Note", "c"],
      ],
    ],
    [
      "below an indented line it is a field",
      ["a: b", "  more", "Note: c"],
      [
        ["a", "b|  more"],
        ["Note", "c"],
      ],
    ],
    [
      "in an indented block, a line of blanks is no text at the margin",
      ["  a: b", "  ", "  Note: c"],
      [
        ["a", "b|  "],
        ["Note", "c"],
      ],
    ],
    ["below a bar it is a sentence", ["a: |", "  more", "Note: c"], [["a", "||  more|Note: c"]]],
    ["below an angle it is a sentence", ["a: >-", "  more", "Note: c"], [["a", ">-|  more|Note: c"]]],
    ["in open double quotes it is a sentence", ['a: "b', "Note: c"], [["a", '"b|Note: c']]],
    ["in open single quotes it is a sentence", ["a: 'b", "Note: c"], [["a", "'b|Note: c"]]],
    ["below a quote alone it is a sentence", ['a: "', "Note: c"], [["a", '"|Note: c']]],
    [
      "below closed quotes it is a field",
      ['a: "b"', "Note: c"],
      [
        ["a", '"b"'],
        ["Note", "c"],
      ],
    ],
    [
      "below an empty text it is a field",
      ['a: ""', "Note: c"],
      [
        ["a", '""'],
        ["Note", "c"],
      ],
    ],
    [
      "a word in small letters is a field, even below text at the margin",
      ["a: b", "more", "note: c"],
      [
        ["a", "b|more"],
        ["note", "c"],
      ],
    ],
    [
      "a field may be further left than the first one",
      ["  a: b", "c: d"],
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["what stands before the first field belongs to none", ["text", "a: b"], [["a", "b"]]],
  ])("%s", (_what, lines, fields) => {
    expect(cut(...lines)).toEqual(fields);
  });
});

describe("a name or description with a stray space before it", () => {
  test.each<[string, readonly string[], boolean]>([
    ["a value on one line", ["license: c", " name: a"], true],
    ["a value and a line of blanks", ["license: c", "  ", " name: a"], true],
    ["a value that goes on", ["license: c", "  d", " name: a"], false],
    ["a key without a value", ["metadata:", " name: a"], false],
    ["open quotes", ['license: "c', " name: a"], false],
    ["a value, and the name is at the margin too", ["license: c", " name: a", "name: b"], false],
  ])("below %s is a field: %s", (_what, lines, isField) => {
    expect(cut(...lines).some(([key, text]) => key === "name" && text === "a")).toBe(isField);
  });

  test("no other key is", () => {
    expect(cut("name: a", " license: c")).toEqual([["name", "a| license: c"]]);
  });
});

test("each field has its line in the block", () => {
  expect(cutFields("\na: b\n\n  more\nc: d").map(({ key, line }) => [key, line])).toEqual([
    ["a", 1],
    ["c", 4],
  ]);
});
