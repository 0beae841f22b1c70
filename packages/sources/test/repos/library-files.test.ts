import { expect, test } from "vitest";
import { claimsKeywords } from "../../src/repos/library-files.ts";

test.each([
  ["---\nkeywords: [a]\ndescription: b\n---\nText", true],
  ["\uFEFF---\r\ndescription: b\r\nkeywords: [a]\r\n---\r\n", true],
  ['---\n"keywords": [a]\n---\n', true],
  ["---\nkeywords: [never closed\n---\n", true],
  ["---\nkeywords:\n  - a\n---", true],
  ["---\nkeywords: [a]\n", true],
  ["---\ndescription: b\n---\nkeywords: [a]\n", false],
  ["---\nmetadata:\n  keywords: [a]\n---\n", false],
  ["---\nkeywordsish: [a]\n---\n", false],
  ["# keywords: a\n", false],
  ["keywords: [a]\n", false],
  ["", false],
])("the front matter of %j has keywords: %j", (text, expected) => {
  expect(claimsKeywords(text)).toBe(expected);
});
