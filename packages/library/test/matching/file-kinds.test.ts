import { expect, test } from "vitest";
import { extensionOf, isBinary } from "../../src/matching/file-kinds.ts";

test.each([
  ["logo.png", ".png", true],
  ["a/b.c/LOGO.PNG", ".png", true],
  [".png", ".png", true],
  ["archive.tar.zip", ".zip", true],
  ["notes.md", ".md", false],
  ["a.png/notes", "", false],
  ["a/b.png/notes", "", false],
  ["png", "", false],
])("the extension of %s is %j, and it is binary: %s", (file, extension, binary) => {
  expect([extensionOf(file), isBinary(file)]).toEqual([extension, binary]);
});
