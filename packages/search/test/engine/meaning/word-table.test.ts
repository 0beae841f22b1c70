import { expect, test } from "vitest";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { parseWordTable, rowOf } from "../../../src/engine/meaning/embed.ts";
import { readWordTable } from "../../../src/word-table-file.ts";

const WORDS = ["deploy", "deploying", "form", "pdf"];

/** Row `n` has the scale (n + 1) / 4 and bytes `n`. */
function filesOf(words: readonly string[]) {
  const bytes = Buffer.alloc(words.length * (4 + DIMENSIONS / 2));
  for (const number of words.keys()) {
    bytes.writeFloatLE((number + 1) / 4, 4 * number);
    bytes.fill(number, 4 * words.length + (DIMENSIONS / 2) * number);
  }
  return { text: words.join("\n"), bytes };
}

test.each([
  ["with a line break at its end", "\n"],
  ["without one", ""],
])("a table %s knows the row of each word and of no other", (_what, end) => {
  const { text, bytes } = filesOf(WORDS);
  const table = parseWordTable("test", `${text}${end}`, bytes);
  if (table === undefined) throw new Error("The table was not read.");
  expect(WORDS.map((word) => rowOf(table, word))).toEqual([0, 1, 2, 3]);
  for (const word of ["", "a", "deploys", "depl", "fo", "pdfs", "zebra"]) expect(rowOf(table, word)).toBe(-1);
  expect([...table.scales]).toEqual([16_384, 32_768, 49_152, 65_536]);
  expect([0, 63, 64, 255].map((at) => table.rows[at])).toEqual([0, 0, 1, 3]);
  expect([table.version, table.rows.length]).toEqual(["test", 256]);
});

test("a table in the middle of a buffer is read from there", () => {
  const { text, bytes } = filesOf(WORDS);
  const shifted = Buffer.concat([Buffer.alloc(8, 7), bytes]).subarray(8);
  expect(parseWordTable("test", text, shifted)?.scales).toEqual(parseWordTable("test", text, bytes)?.scales);
});

test.each([
  ["a byte short", -1],
  ["a row short", -68],
])("a table that is %s is refused", (_what, missing) => {
  const { text, bytes } = filesOf(WORDS);
  expect(parseWordTable("test", text, bytes.subarray(0, missing))).toBeUndefined();
});

test("the table of the package has words in code unit order, so that each is found", async () => {
  const table = await readWordTable();
  if (table === undefined) throw new Error("The table of the package is missing.");
  const words = table.words.text.split("\n").slice(0, -1);
  expect(words.length).toBeGreaterThan(10_000);
  for (const [row, word] of words.entries()) if (rowOf(table, word) !== row) expect(word).toBe("found");
});
