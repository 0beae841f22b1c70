import path from "node:path";
import { expect, test } from "vitest";
import { expandHome, isInside } from "../../src/files/paths.ts";
import { isHidden } from "../../src/pure/hidden-file.ts";

test.each([
  ["~", "/h"],
  ["~/x", "/h/x"],
  ["~\\x", path.join("/h", "x")],
  ["~other/x", "~other/x"],
  ["x/~", "x/~"],
  ["/~/x", "/~/x"],
  ["", ""],
])("expandHome turns %j into %j", (given, expanded) => {
  expect(expandHome(given, "/h")).toBe(expanded);
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/a/b/c", true],
  ["/a", "/ab", false],
  ["/a/b", "/a", false],
  ["/a", "/b", false],
  ["/a", "/a/..b", true],
  ["/a", "/a/...", true],
  ["/a/b", "/a/..b", false],
  ["/", "/a", true],
  ["/", "/", true],
  ["/a", "/", false],
])("isInside(%s, %s) is %s", (outer, inner, inside) => {
  expect(isInside(outer, inner)).toBe(inside);
});

test.each([
  [".env", true],
  [".git/config", true],
  ["sub/.secret", true],
  ["sub\\.secret", true],
  ["..c", true],
  ["a/.b/c", true],
  ["...", true],
  ["a.b/c.d", false],
  ["..", false],
  ["../a", false],
  ["./a", false],
  ["a./b", false],
  ["a/..", false],
  [".", false],
  ["", false],
])("isHidden(%j) is %s", (relative, hidden) => {
  expect(isHidden(relative)).toBe(hidden);
});
