import { expect, test } from "vitest";
import { firstSentence } from "../../src/skill/parse-skill.ts";

test.each<[string, string, string | undefined]>([
  ["a sentence", "Reads PDF files. Then more.", "Reads PDF files."],
  ["below a title", "# PDF\n\nReads PDF files! And more", "Reads PDF files!"],
  ["over several lines", "Reads\n  PDF\tfiles.\nMore.", "Reads PDF files."],
  ["a paragraph without an end", "Reads PDF files\n\nMore.", "Reads PDF files"],
  ["a version is no end", "Needs 3.11 or newer. Yes.", "Needs 3.11 or newer."],
  ["another script", "これはPDFを読みます。 次。", "これはPDFを読みます。"],
  ["CRLF", "# T\r\n\r\nOne.\r\nTwo.\r\n", "One."],
  ["a list", "# T\n- Reads files\n- Writes", "Reads files Writes"],
  ["a quote", "> Reads files.", "Reads files."],
  ["after code", "```sh\nrm -rf /. x\n```\nReads files.", "Reads files."],
  ["after a rule, a table, HTML and an image", "---\n| a |\n<br>\n![x](y)\nReads.", "Reads."],
  ["a paragraph that a line of blanks ends", "Reads files\n \t\nMore.", "Reads files"],
  ["after code with another fence in it", "```\n~~~\nx.\n~~~\ny.\n```\nReads files.", "Reads files."],
  ["after two blocks of code", "```\nx.\n```\n~~~\ny.\n~~~\nReads files.", "Reads files."],
  ["before code", "Reads files\n```\nx.\n```", "Reads files"],
  ["a title before another", "# T\n\n# U\n", "T"],
  ["a title alone", "# Reads PDF files\n", "Reads PDF files"],
  ["a title before code that never ends", "# T\n~~~\nx.", "T"],
  ["nothing", "", undefined],
  ["only white space", " \n\t\n", undefined],
  ["only code", "```\n# x\n```", undefined],
])("of %s", (_case, markdown, sentence) => {
  expect(firstSentence(markdown)).toBe(sentence);
});

test("a sentence without an end has one after 1,024 characters", () => {
  expect(firstSentence("a".repeat(5_000))).toHaveLength(1_024);
});

test("a sentence that is cut off at a space does not end with it", () => {
  expect(firstSentence(`${"a".repeat(1_023)} b`)).toBe("a".repeat(1_023));
});

test("a hostile text takes no longer than its length", () => {
  const began = performance.now();
  for (const part of ["a ", "- ", "``` ", "# ", ". ", "<"]) firstSentence(part.repeat(100_000));
  expect(performance.now() - began).toBeLessThan(5_000);
});
