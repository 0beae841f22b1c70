import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseSynonyms } from "../catalog/synonyms.ts";

type Synonyms = ReadonlyMap<string, readonly string[]>;

const NONE: Synonyms = new Map();

/** The user's synonyms as they are at each search, so an edit counts at once. What is wrong with them is said once. */
export function createSynonymsReader(file: string, log: (line: string) => void): () => Promise<Synonyms> {
  let said = "";
  let known: { readonly state: string; readonly synonyms: Synonyms } | undefined;

  async function read(): Promise<Synonyms> {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return NONE;
    const reading = parseSynonyms(text);
    const problem = reading.ok ? "" : `warning: ${file}: The synonyms were ignored: ${reading.reason}.`;
    if (problem !== "" && problem !== said) log(problem);
    said = problem;
    return reading.ok ? reading.synonyms : NONE;
  }

  return async () => {
    const state = stateOf(file);
    if (state === "") return NONE;
    if (known?.state === state) return known.synonyms;
    const synonyms = await read();
    known = { state, synonyms };
    return synonyms;
  };
}

/** Empty where there is no file. A synchronous call, because most people have none and each search asks. */
function stateOf(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
  } catch {
    return "";
  }
}
