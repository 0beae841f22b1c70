import { CORE_SCHEMA, load } from "js-yaml";
import { readConfigFile } from "#config";
import { type Diagnostic, diagnosticLine, isBlankYaml } from "#skills";
import { type Log, readWhenChanged } from "#util";
import { nameKey } from "#util/pure";
import type { Synonyms } from "./engine/rank/parse-query.ts";

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

type SynonymsReading =
  | { readonly ok: true; readonly synonyms: ReadonlyMap<string, readonly string[]> }
  | { readonly ok: false; readonly reason: string };

/** Reads a user's `synonyms.yaml`: a map from a word to one or more words with the same meaning. */
export function parseSynonyms(text: string): SynonymsReading {
  if (isBlankYaml(text)) return { ok: true, synonyms: new Map() };
  let data: unknown;
  try {
    data = load(text, { schema: CORE_SCHEMA, maxDepth: 8, maxAliases: 0 });
  } catch (error) {
    // Only the first line: the others are an excerpt of the file.
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    return { ok: false, reason: `it is not valid YAML (${reason})` };
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return { ok: false, reason: "it must map words to words, such as `k8s: kubernetes`" };
  }
  const synonyms = new Map<string, readonly string[]>();
  for (const [word, meaning] of Object.entries(data)) {
    const meanings: readonly unknown[] = Array.isArray(meaning) ? (meaning as readonly unknown[]) : [meaning];
    if (!meanings.every((other) => typeof other === "string")) {
      return { ok: false, reason: `'${word}' must stand for a word or a list of words` };
    }
    synonyms.set(nameKey(word), meanings.map(nameKey));
  }
  return { ok: true, synonyms };
}
