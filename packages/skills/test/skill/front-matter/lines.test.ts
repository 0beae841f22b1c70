import { expect, test } from "vitest";
import {
  collapseWhiteSpace,
  hasMoreLinesThan,
  indentOf,
  lineAt,
  splitLines,
} from "../../../src/skill/front-matter/key-lines.ts";

test.each([
  ["a\nb", 0, "a", "b"],
  ["a\r\nb", 0, "a", "b"],
  ["a\rb", 0, "a", "b"],
  ["a\r\rb", 0, "a", "\rb"],
  ["a\n\nb", 2, "", "b"],
  ["first\nsecond", 6, "second", ""],
  ["a\r", 0, "a", ""],
  ["", 0, "", ""],
])("in %j the line at %i is %j, and %j follows", (text, start, line, rest) => {
  const found = lineAt(text, start);
  expect([text.slice(found.start, found.end), text.slice(found.next)]).toEqual([line, rest]);
});

test.each([
  ["", [""]],
  ["a\nb", ["a", "b"]],
  ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
  ["a\n", ["a", ""]],
])("the lines of %j are %j", (text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});

test.each([
  ["", 0, false],
  ["a", 0, true],
  ["a\nb", 1, true],
  ["a\nb", 2, false],
  ["a\r\nb\r\n", 1, true],
  ["a\r\nb\r\n", 2, false],
  ["\na", 1, true],
])("%j has more than %i lines: %s", (text, limit, more) => {
  expect(hasMoreLinesThan(text, limit)).toBe(more);
});

test.each([
  ["a b", "a b"],
  ["  a b ", "a b"],
  ["a  b", "a b"],
  ["a\n \tb", "a b"],
  ["\u00a0a\u00a0b", "a b"],
  [" \n ", ""],
])("%j collapses to %j", (text, collapsed) => {
  expect(collapseWhiteSpace(text)).toBe(collapsed);
});

test.each([
  ["a", 0],
  ["  a", 2],
  [" \t a", 3],
  ["\u00a0a", 0],
  ["  ", 2],
])("%j is indented by %i", (line, indent) => {
  expect(indentOf(line)).toBe(indent);
});
