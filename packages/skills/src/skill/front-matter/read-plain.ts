import { type Fields, isDangerousKey, newFields } from "./fields.ts";
import { splitLines } from "./split.ts";

/**
 * Reads the front matter most skills have (one-line values, plain lists, one level of map) without a YAML
 * parser, with which the first scan takes nearly twice as long. Reads only what YAML certainly reads the same way, and
 * `undefined` for everything else, duplicate keys included. A property test compares the two readers.
 */
export function readPlain(block: string): Fields | undefined {
  if (SUSPECT.test(block) && UNCERTAIN.test(block)) return undefined;
  const fields = newFields();
  let parent: Parent | undefined;
  for (const line of splitLines(block)) {
    const indent = leadingSpaces(line);
    if (indent === line.length || line[indent] === "#") continue;
    if (line[indent] === "-") {
      if (parent === undefined || !addItem(parent, line, indent)) return undefined;
    } else if (indent > 0) {
      if (parent === undefined || !addEntry(parent, line, indent)) return undefined;
    } else {
      const pair = readPair(line, 0);
      if (pair === undefined || pair.key in fields) return undefined;
      fields[pair.key] = pair.value;
      // Only a key without a value can have lines of its own below it.
      parent = pair.bare ? { fields, key: pair.key, indent: -1 } : undefined;
    }
  }
  return fields;
}

interface Parent {
  readonly fields: Record<string, unknown>;
  readonly key: string;
  /** The indentation of its children; -1 until the first one. */
  indent: number;
  items?: Scalar[];
  entries?: Record<string, unknown>;
}

function addItem(parent: Parent, line: string, indent: number): boolean {
  if (line[indent + 1] !== " " || parent.entries !== undefined || !fits(parent, indent)) return false;
  const item = readPlainScalar(trimSpaces(line, indent + 1));
  if (item === undefined || item === null) return false;
  parent.items ??= [];
  parent.items.push(item);
  parent.fields[parent.key] = parent.items;
  return true;
}

function addEntry(parent: Parent, line: string, indent: number): boolean {
  if (parent.items !== undefined || !fits(parent, indent)) return false;
  const pair = readPair(line, indent);
  parent.entries ??= newFields();
  if (pair === undefined || pair.bare || pair.key in parent.entries) return false;
  parent.entries[pair.key] = pair.value;
  parent.fields[parent.key] = parent.entries;
  return true;
}

function fits(parent: Parent, indent: number): boolean {
  if (parent.indent === -1) parent.indent = indent;
  return parent.indent === indent;
}

interface Pair {
  readonly key: string;
  readonly value: Scalar;
  /** Nothing after the colon. */
  readonly bare: boolean;
}

function readPair(line: string, start: number): Pair | undefined {
  const colon = line.indexOf(":", start);
  if (colon === -1 || (line[colon + 1] ?? " ") !== " ") return undefined;
  const key = line.slice(start, colon);
  if (!CERTAIN_KEY.test(key) || isDangerousKey(key) || CORE_WORDS.has(key)) return undefined;
  const source = trimSpaces(line, colon + 1);
  const value = readPlainScalar(source);
  return value === undefined ? undefined : { key, value, bare: source === "" };
}

function leadingSpaces(line: string): number {
  let count = 0;
  while (line[count] === " ") count++;
  return count;
}

/** `trim()` would also take the white space that YAML keeps, such as a no-break space. */
function trimSpaces(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && line[start] === " ") start++;
  while (end > start && line[end - 1] === " ") end--;
  return line.slice(start, end);
}

const CERTAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
// Tabs, control characters, byte order marks, non-characters and lone surrogates: YAML has rules for each.
// Telling a lone surrogate from an emoji takes the slower pattern, which few files need.
const SUSPECT = /[\0-\t\v\f\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]/;
const UNCERTAIN = /[\0-\t\v\f\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]/u;

type Scalar = string | number | boolean | null;

/**
 * The value of a one-line scalar whose meaning in YAML is certain, `undefined` for every other. The caller has
 * made sure that `source` contains no tab or control character and has no space at either end.
 */
function readPlainScalar(source: string): Scalar | undefined {
  const first = source[0];
  if (first === undefined) return null;
  if (first === '"' || first === "'") return unquoted(source, first);
  if (SAFE_FIRST.test(first)) return isSafePlainText(source) ? wordOrText(source) : undefined;
  return DIGIT.test(first) ? numberOrText(source) : undefined;
}

/** A quoted string whose only quotes are its own: nothing in it can be an escape. */
function unquoted(source: string, quote: string): string | undefined {
  if (source.length < 2 || source.indexOf(quote, 1) !== source.length - 1 || source.includes("\\"))
    return undefined;
  return source.slice(1, -1);
}

function isSafePlainText(source: string): boolean {
  return !source.includes(": ") && !source.includes(" #") && !source.endsWith(":");
}

function wordOrText(source: string): Scalar {
  const word = CORE_WORDS.get(source);
  return word === undefined ? source : word;
}

function numberOrText(source: string): Scalar | undefined {
  if (SAFE_NUMBER.test(source)) return Number(source);
  // No number has a space in it.
  const isText = source.includes(" ") ? isSafePlainText(source) : VERSION_OR_DATE.test(source);
  return isText ? source : undefined;
}

// A letter, or a character that is no YAML indicator and begins no number. Beyond ASCII nothing is special.
const SAFE_FIRST = /[A-Za-z_(/$\u00a0-\uffff]/;
const DIGIT = /[0-9]/;
const SAFE_NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,10})?$/;
const VERSION_OR_DATE = /^(?:[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2})$/;

/** The words that YAML reads as a boolean or as null, with what they mean. */
const CORE_WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
]);
