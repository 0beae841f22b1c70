import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseWordTable, type WordTable } from "./engine/meaning/word-table.ts";

/** Raised with each new table: vectors of different tables cannot be compared. */
const VERSION = "table 1";

/** Beside the bundle, beside the library's folder in `dist/`, or in the project when run from source. */
const FOLDERS = ["data", "../data", "../../data"];

/** The table of word vectors that comes with the package; undefined where its files are missing or damaged. */
export async function readWordTable(): Promise<WordTable | undefined> {
  const here = path.dirname(fileURLToPath(import.meta.url));
  for (const relative of FOLDERS) {
    const folder = path.join(here, relative);
    try {
      const file = path.join(folder, "words.i4");
      const [text, bytes] = await Promise.all([
        readFile(path.join(folder, "words.txt"), "latin1"),
        readFile(file),
      ]);
      const table = parseWordTable(VERSION, text, bytes);
      return table && withRowsWhenUsed(table, file);
    } catch {
      // The next place.
    }
  }
  return undefined;
}

/** Searches in a loop follow each other more closely. */
const KEPT_MS = 2_000;
/** Two numbers that stand for 0. */
const MEANS_NOTHING = 0x88;

/**
 * The rows, which are nearly all of a table and the end of its file, are in memory while an index is built and while searches
 * follow each other. Who has found a skill works with it for minutes, and reading them again takes a millisecond.
 */
function withRowsWhenUsed({ rows: first, ...table }: WordTable, file: string): WordTable {
  const { length } = first;
  let rows: Uint8Array | undefined = first;
  const forget = setTimeout(() => {
    rows = undefined;
  }, KEPT_MS).unref();
  return {
    ...table,
    get rows() {
      forget.refresh();
      rows ??= readRows(file, length);
      return rows;
    },
  };
}

/** Where the package was removed under a running server, words mean nothing, and skills are found by the words themselves. */
function readRows(file: string, length: number): Uint8Array {
  try {
    const rows = readFileSync(file).subarray(-length);
    if (rows.length === length) return rows;
  } catch {
    // As if it were too short.
  }
  return new Uint8Array(length).fill(MEANS_NOTHING);
}
