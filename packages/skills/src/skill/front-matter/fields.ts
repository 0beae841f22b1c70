import { editDistance, escapeInvisibleCharacters, findInvisibleCharacters } from "#util/pure";
import type { Problem } from "../diagnostic.ts";
import { collapseWhiteSpace, lineOfKey, readKeyLine, splitLines } from "./key-lines.ts";

/**
 * Front matter as data. Made without a prototype, so that no key an author writes can reach one; the keys that
 * reach it through other people's code when the data is copied are dropped.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function newFields(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

const DANGEROUS_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function isDangerousKey(key: string): boolean {
  return DANGEROUS_KEYS.has(key);
}

export type RequiredKey = "name" | "description";

type RequiredValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" };

/** `name` or `description` as one line of text. */
export function readRequired(fields: Fields, key: RequiredKey, block: string): RequiredValue {
  const value = fields[key];
  if (value === undefined || value === null) return { kind: "missing" };
  if (typeof value === "object") return { kind: "unreadable" };
  const text = collapseWhiteSpace(typeof value === "string" ? value : asWritten(value, key, block));
  return text === "" ? { kind: "missing" } : { kind: "text", text };
}

/** YAML reads `1.10` as the number 1.1; a name is what its author typed. */
function asWritten(value: unknown, key: RequiredKey, block: string): string {
  const line = splitLines(block)
    .map(readKeyLine)
    .find((found) => found?.key === key && found.value !== "");
  return line === undefined ? String(value) : line.value.replace(/\s#.*$/s, "");
}

export function missing(key: RequiredKey, fields: Fields): Problem {
  const example = key === "name" ? "name: my-skill" : "description: What it does and when to use it";
  const almost = Object.keys(fields).find((other) => other !== key && other.toLowerCase() === key);
  const state = key in fields ? "is empty" : "is missing";
  const hint = almost === undefined ? misspelling(key, fields) : ` Write \`${almost}\` in lower case.`;
  return {
    code: key === "name" ? "missing-name" : "missing-description",
    message: `\`${key}\` ${state} in the front matter. Add a line such as \`${example}\`.${hint}`,
  };
}

function misspelling(key: RequiredKey, fields: Fields): string {
  // A letter is enough of a difference for a word as short as `name`.
  const allowed = key === "name" ? 1 : 2;
  const near = Object.keys(fields).find((other) => {
    return other !== key && editDistance(other.toLowerCase(), key, allowed) <= allowed;
  });
  return near === undefined ? "" : ` \`${near}\` looks like a misspelling of it.`;
}

/** `firstLine` is the line of the file on which `block` begins. */
export function unreadable(key: RequiredKey, block: string, firstLine: number): Problem {
  return {
    ...lineOfKey(key, block, firstLine),
    code: "front-matter-unreadable",
    message: `\`${key}\` must be text, but it is a list or a map, or opens one and never closes it. Write it as text, in double quotes if it starts with \`[\` or \`{\`.`,
  };
}

/** Fields whose values show every invisible character as an escape, and the warning for their author. */
interface VisibleFields {
  readonly fields: Fields;
  readonly problem?: Problem;
}

/** Escapes invisible characters: lists show these values to models and to people, and neither may see more than the other. */
export function visibleFields(fields: Fields, source: string, firstLine: number): VisibleFields {
  const inSource = findInvisibleCharacters(source);
  // A value is a piece of the source, unless YAML's escapes made something else of it.
  if (inSource.length === 0 && !source.includes("\\")) return { fields };
  const seen = { invisible: 0, codePoint: 0 };
  const visible = escapeValues(fields, seen) as Fields;
  const [first] = inSource;
  if (first === undefined && seen.invisible === 0) return { fields };
  const count = Math.max(inSource.length, seen.invisible);
  const line = first && firstLine + splitLines(source.slice(0, first.offset)).length - 1;
  return {
    fields: visible,
    problem: {
      code: "hidden-characters",
      message: `The front matter contains ${invisibleText(count, first?.codePoint ?? seen.codePoint)}.`,
      ...(line === undefined ? {} : { line }),
    },
  };
}

/** `2 hidden characters, such as U+E0041, that models read and people do not see: remove them`. */
export function invisibleText(count: number, codePoint: number): string {
  const example = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return count === 1
    ? `a hidden character, ${example}, that models read and people do not see: remove it`
    : `${count} hidden characters, such as ${example}, that models read and people do not see: remove them`;
}

/** Escapes invisible characters in a value; returns the very same value where there are none. Keys stay as they are. */
function escapeValues(value: unknown, seen: { invisible: number; codePoint: number }): unknown {
  if (typeof value === "string") {
    const found = findInvisibleCharacters(value);
    const [first] = found;
    if (first === undefined) return value;
    seen.codePoint ||= first.codePoint;
    seen.invisible += found.length;
    return escapeInvisibleCharacters(value);
  }
  if (Array.isArray(value)) return value.map((item) => escapeValues(item, seen));
  if (typeof value !== "object" || value === null) return value;
  const visible = newFields();
  for (const [key, inner] of Object.entries(value)) visible[key] = escapeValues(inner, seen);
  return visible;
}

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
