import { type Explanation, explainRecovery } from "./explain.ts";
import { type Fields, isDangerousKey, newFields } from "./fields.ts";
import { cutFields, type RawField } from "./raw-fields.ts";
import { readPlain } from "./read-plain.ts";
import { readText } from "./read-text.ts";
import { isSentenceReadAsMap, readYaml, SENTENCE_READ_AS_MAP, type YamlComplaint } from "./read-yaml.ts";

export interface Recovery {
  readonly fields: Fields;
  /** Fields that are there, but whose value nobody can read. */
  readonly unreadable: ReadonlySet<string>;
  readonly explanation: Explanation;
}

/**
 * Reads a block that is no YAML field by field: each that is YAML on its own keeps its value, the others become
 * the text that a person reads there.
 */
export function recoverFields(block: string, complaint: YamlComplaint): Recovery {
  const fields = newFields();
  const unreadable = new Set<string>();
  let broken: { readonly field: RawField; readonly complaint: YamlComplaint } | undefined;
  let yamlTries = 0;
  for (const field of cutFields(block)) {
    // The first of two wins, as it does for a reader; an empty one is no answer.
    if (isDangerousKey(field.key) || !isEmpty(fields[field.key]) || unreadable.has(field.key)) continue;
    const reading = readAlone(field, yamlTries++ < MOST_YAML_TRIES);
    if (reading.complaint !== undefined || !field.proper) {
      broken ??= { field, complaint: reading.complaint ?? complaint };
    }
    if (reading.value === undefined) unreadable.add(field.key);
    else fields[field.key] = reading.value;
  }
  return { fields, unreadable, explanation: explainRecovery(complaint, broken?.field, broken?.complaint) };
}

interface FieldReading {
  /** `undefined` when nobody can read it. */
  readonly value: unknown;
  /** Why YAML could not read it. */
  readonly complaint?: YamlComplaint;
}

function readAlone(field: RawField, mayTryYaml: boolean): FieldReading {
  const source = [`${field.key}: ${field.first}`, ...field.rest].join("\n");
  const plain = readPlain(source);
  if (plain !== undefined) return { value: plain[field.key] };
  if (!mayTryYaml) return { value: readText(field) };
  const yaml = readYaml(source);
  if (!yaml.ok) return { value: readText(field), complaint: yaml.complaint };
  const value = yaml.fields[field.key];
  const isText = field.key === "description" && isSentenceReadAsMap(value);
  return isText ? { value: readText(field), complaint: SENTENCE_READ_AS_MAP } : { value };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

// A block of thousands of broken fields would cost a parser error each; no honest one has this many.
const MOST_YAML_TRIES = 64;
