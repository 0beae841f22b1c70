import { readFile } from "node:fs/promises";
import { parseSynonyms } from "../catalog/synonyms.ts";

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

/** Reads the user's synonyms for each search, so an edit counts at once. What is wrong with them is said once. */
export function createSynonymsReader(
  file: string,
  log: (line: string) => void,
): () => Promise<ReadonlyMap<string, readonly string[]>> {
  let said = "";
  return async () => {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return NONE;
    const reading = parseSynonyms(text);
    const problem = reading.ok ? "" : `warning: ${file}: The synonyms were ignored: ${reading.reason}.`;
    if (problem !== "" && problem !== said) log(problem);
    said = problem;
    return reading.ok ? reading.synonyms : NONE;
  };
}
