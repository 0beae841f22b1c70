import { type Explanation, explainRecovery } from "./explain.ts";
import { type Fields, isDangerousKey, newFields, readPlain } from "./fields.ts";
import { collapseWhiteSpace, cutFields, type RawField } from "./key-lines.ts";
import { isSentenceReadAsMap, readYaml, SENTENCE_READ_AS_MAP, type YamlComplaint } from "./read-yaml.ts";

export interface Recovery {
  readonly fields: Fields;
  /** Fields that exist, but whose value cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  readonly explanation: Explanation;
}

/**
 * Reads a block that is not valid YAML field by field: a field that is valid on its own has its YAML value, the others
 * become the text that a person reads there.
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
  /** `undefined` when it cannot be read. */
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

// A block of thousands of broken fields would cost a parser error each; no real file has this many.
const MOST_YAML_TRIES = 64;

/**
 * The text that a person reads in a field that YAML cannot read. `undefined` when the field opens a list or map
 * and never closes it: then its meaning is unclear.
 */
function readText(field: RawField): string | undefined {
  const first = withoutBlockHeader(field.first);
  const rest = field.rest.filter((line) => !COMMENT.test(line)).join("\n");
  // A closed quote ends the value; text after it is not part of it.
  const head = isQuotedWhole(first) ? withoutOuterQuotes(first) : first;
  const text = collapseWhiteSpace(`${head}\n${rest}`);
  if (head !== first) return text;
  return opensWithoutClosing(text) ? undefined : withoutOuterQuotes(text);
}

/** `| text` and `>- text`: the author began the block on the line that announces it. */
function withoutBlockHeader(first: string): string {
  return first.replace(BLOCK_HEADER, "");
}

function opensWithoutClosing(text: string): boolean {
  const open = text.charAt(0);
  const close = open === "[" ? "]" : open === "{" ? "}" : undefined;
  if (close === undefined) return false;
  let depth = 0;
  for (const character of text) {
    if (character === open) depth++;
    if (character === close && --depth === 0) return false;
  }
  return true;
}

function withoutOuterQuotes(text: string): string {
  const quote = text.charAt(0);
  if (quote !== '"' && quote !== "'") return text;
  const second = nextQuote(text, quote);
  // Opened and never closed.
  if (second === -1) return unescaped(text.slice(1), quote).trim();
  if (!text.endsWith(quote)) return text;
  // `"this" and "that"` begins with a quoted word; `"use "this" for that"` is a quoted whole.
  const isWhole = second === text.length - 1 || OPENS_A_QUOTE.test(text.charAt(second - 1));
  return isWhole || quote === "'" ? unescaped(text.slice(1, -1), quote).trim() : text;
}

function isQuotedWhole(line: string): boolean {
  const quote = line.charAt(0);
  return (quote === '"' || quote === "'") && nextQuote(line, quote) === line.length - 1;
}

function nextQuote(text: string, quote: string): number {
  let at = text.indexOf(quote, 1);
  while (at !== -1 && text.charAt(at - 1) === "\\") at = text.indexOf(quote, at + 1);
  return at;
}

function unescaped(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return collapseWhiteSpace(
    text.replaceAll(/\\(["\\/nrt])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t" };
const COMMENT = /^#(?:\s|$)/;
// The white space may be missing before a letter (`|Text`), but `>80 %` is meant literally.
const BLOCK_HEADER = /^[|>](?:[+-]?[1-9]?[+-]?(?=\s|$)|(?=\p{L}))/u;
const OPENS_A_QUOTE = /[\s([{:,（【：，、—–-]/;
