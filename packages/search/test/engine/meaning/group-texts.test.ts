import { expect, test } from "vitest";
import { groupTexts } from "../../../src/engine/meaning/group-texts.ts";
import { readWordTable } from "../../../src/word-table-file.ts";

const TEXTS = [
  "resize a photo",
  "optimize sql query",
  "shrink these images",
  "translate the readme to german",
  "slow database query",
  "make the picture smaller",
  "translate this page into french",
  "book a meeting room",
  "写一个函数",
];

test("texts that ask for the same thing are together, in their order", async () => {
  const groups = groupTexts(TEXTS, await readWordTable());
  expect(groups.map(({ members }) => members)).toEqual([[0, 2, 5], [1, 4], [3, 6], [7], [8]]);
});

test.each([
  [
    ["merge pdf files", "merge the PDF files", "pdf files merging", "split pdf"],
    [[0, 1, 2], [3]],
  ],
  [
    ["invoices", "invoice", "pdf"],
    [[0, 1], [2]],
  ],
  [
    // Three of five words, and three of six.
    ["red green blue white", "red green blue black", "red green blue pink grey"],
    [[0, 1], [2]],
  ],
  [
    ["", "the", "a b"],
    [[0], [1], [2]],
  ],
  [[], []],
])("without a table, texts with the same words are together: %j", (texts, expected) => {
  expect(groupTexts(texts, undefined).map(({ members }) => members)).toEqual(expected);
});

test("from the 1,001st on, texts stay alone", () => {
  const texts = Array.from({ length: 999 }, (_, index) => `word${index} thing${index}`);
  const groups = groupTexts([...texts, "word0 thing0", "word0 thing0", "word1 thing1"], undefined);
  expect(groups[0]?.members).toEqual([0, 999]);
  expect(groups.slice(-2).map(({ members }) => members)).toEqual([[1000], [1001]]);
});
