import { CORE_SCHEMA, load } from "js-yaml";
import { isBlankYaml } from "#skills";
import { nameKey } from "#util/pure";

export type SynonymsReading =
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
