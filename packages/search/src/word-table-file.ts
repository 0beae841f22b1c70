import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseWordTable, type WordTable } from "./engine/meaning/word-table.ts";

/** Raised with each new table: vectors of different tables cannot be compared. */
const VERSION = "table 1";

/** Beside the bundle, beside the library's folder in `dist/`, or in the project when run from source. */
const FOLDERS = ["data", "../data", "../../../data"];

/** The table of word vectors that comes with the package; undefined where its files are missing or damaged. */
export async function readWordTable(): Promise<WordTable | undefined> {
  const here = path.dirname(fileURLToPath(import.meta.url));
  for (const relative of FOLDERS) {
    const folder = path.join(here, relative);
    try {
      const [text, rows] = await Promise.all([
        readFile(path.join(folder, "words.txt"), "latin1"),
        readFile(path.join(folder, "words.i4")),
      ]);
      return parseWordTable(VERSION, text, rows);
    } catch {
      // The next place.
    }
  }
  return undefined;
}
