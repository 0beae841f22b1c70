import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { type Fields, isDangerousKey, newFields } from "./fields.ts";
import { isBlankYaml } from "./key-lines.ts";

/** What stopped the YAML reader. */
export interface YamlComplaint {
  readonly reason: string;
  /** 0-based line in the block, where the reader named one. */
  readonly line?: number;
}

export type YamlReading =
  | { readonly ok: true; readonly fields: Fields }
  | { readonly ok: false; readonly complaint: YamlComplaint };

/**
 * Front matter as YAML 1.2 core data. No aliases and little depth: front matter needs neither, and both are
 * ways to make a small file cost a lot.
 */
export function readYaml(block: string): YamlReading {
  if (isBlankYaml(block)) return { ok: true, fields: newFields() };
  let document: unknown;
  try {
    document = load(block, { schema: CORE_SCHEMA, maxDepth: 32, maxAliases: 0 });
  } catch (error) {
    return { ok: false, complaint: complaintOf(error) };
  }
  if (document === null) return { ok: true, fields: newFields() };
  if (typeof document !== "object" || Array.isArray(document)) {
    return { ok: false, complaint: { reason: "not a map of fields" } };
  }
  return { ok: true, fields: withoutPrototype(document) };
}

/**
 * `Use when: …` on a line of its own below `description:` is a map to YAML and a sentence to everyone else. The
 * key of a real map has no space in it.
 */
export function isSentenceReadAsMap(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value)[0]?.includes(" ") ?? false;
}

export const SENTENCE_READ_AS_MAP: YamlComplaint = { reason: "a sentence with a colon reads as a map" };

function complaintOf(error: unknown): YamlComplaint {
  if (!(error instanceof YAMLException)) return { reason: "unreadable" };
  const line = error.mark?.line;
  return line === undefined ? { reason: error.reason } : { reason: error.reason, line };
}

function withoutPrototype(map: object): Fields {
  const fields = newFields();
  for (const [key, value] of Object.entries(map)) {
    if (!isDangerousKey(key)) fields[key] = asData(value);
  }
  return fields;
}

function asData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asData);
  return typeof value === "object" && value !== null ? withoutPrototype(value) : value;
}
