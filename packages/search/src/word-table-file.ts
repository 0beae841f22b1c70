import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ownConfigFile, readOwnSettings } from "#config";
import type { Log } from "#util";
import { parseWordTable, type WordTable } from "./engine/meaning/embed.ts";

/** Raised with each new table: vectors of different tables cannot be compared. */
const VERSION = "table 2";

/** Beside the bundle, or in the project when run from source. */
const FOLDERS = ["data", "../../../data"];

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

/** The word table for the first search, unless the operator turned it off or its files are missing: a line says which. */
export async function loadWordTable(home: string, log: Log): Promise<WordTable | undefined> {
  // A file that cannot be read is reported by the commands that start a server.
  const settings = await readOwnSettings(home).catch(() => undefined);
  if (settings?.search.semantic === "off") {
    log.info(`skills are found by their words alone: search.semantic is off in ${ownConfigFile(home)}`);
    return undefined;
  }
  const table = await readWordTable();
  if (table === undefined) {
    log.info(
      "skills are found by their words alone: the word table (data/words.i4) is missing from the package",
    );
  }
  return table;
}
