import { ownConfigFile, readOwnSettings } from "#config";
import type { Log } from "#util";
import type { WordTable } from "./engine/meaning/word-table.ts";
import { readWordTable } from "./word-table-file.ts";

/** The word table for the first search, unless the operator turned it off or its files are missing: a line says which. */
export async function loadWordTable(home: string, log: Log): Promise<WordTable | undefined> {
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
