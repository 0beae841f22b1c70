import { readConfigFile } from "#config";
import { type Diagnostic, diagnosticLine } from "#skills";
import { type Log, readWhenChanged } from "#util";
import type { Synonyms } from "./engine/rank/parse-query.ts";
import { parseSynonyms } from "./engine/words/synonyms.ts";

interface ReadSynonyms {
  readonly synonyms: Synonyms;
  /** Why they were ignored. */
  readonly problem?: Diagnostic;
}

const NONE: Synonyms = new Map();

/** The user's synonyms. It is their own file, so it may be a link, but nothing that is not a regular file is read. */
export async function readSynonyms(file: string): Promise<ReadSynonyms> {
  const content = await readConfigFile(file, { followLinks: true });
  if (content === undefined) return { synonyms: NONE };
  if (!content.ok) return ignored(file, `The synonyms were ignored. ${content.message}`);
  const reading = parseSynonyms(content.text);
  return reading.ok ? reading : ignored(file, `The synonyms were ignored: ${reading.reason}.`);
}

function ignored(file: string, message: string): ReadSynonyms {
  return { synonyms: NONE, problem: { severity: "warning", code: "synonyms-file", file, message } };
}

/** The user's synonyms as they are at each search, so an edit counts at once. A problem is logged once. */
export function createSynonymsReader(file: string, log: Log): () => Promise<Synonyms> {
  let logged = "";
  return readWhenChanged(file, async () => {
    const { synonyms, problem } = await readSynonyms(file);
    const line = problem === undefined ? "" : diagnosticLine(problem);
    if (line !== "" && line !== logged) log.warn(line);
    logged = line;
    return synonyms;
  });
}
