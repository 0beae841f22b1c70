import { editDistance, escapeHiddenCharacters, findHiddenCharacters } from "#util/pure";
import type { Problem } from "../diagnostic.ts";
import { lineOfKey, readKeyLine } from "./key-lines.ts";
import { collapseWhiteSpace, splitLines } from "./split.ts";

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

export type RequiredValue =
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
export interface VisibleFields {
  readonly fields: Fields;
  readonly problem?: Problem;
}

/** Escapes invisible characters: lists show these values to models and to people, and neither may see more than the other. */
export function visibleFields(fields: Fields, source: string, firstLine: number): VisibleFields {
  const inSource = findHiddenCharacters(source);
  // A value is a piece of the source, unless YAML's escapes made something else of it.
  if (inSource.length === 0 && !source.includes("\\")) return { fields };
  const seen = { hidden: 0, codePoint: 0 };
  const visible = escapeValues(fields, seen) as Fields;
  const [first] = inSource;
  if (first === undefined && seen.hidden === 0) return { fields };
  const count = Math.max(inSource.length, seen.hidden);
  const line = first && firstLine + splitLines(source.slice(0, first.offset)).length - 1;
  return {
    fields: visible,
    problem: {
      code: "hidden-characters",
      message: `The front matter contains ${hiddenText(count, first?.codePoint ?? seen.codePoint)}.`,
      ...(line === undefined ? {} : { line }),
    },
  };
}

/** `2 hidden characters, such as U+E0041, that models read and people do not see: remove them`. */
export function hiddenText(count: number, codePoint: number): string {
  const example = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return count === 1
    ? `a hidden character, ${example}, that models read and people do not see: remove it`
    : `${count} hidden characters, such as ${example}, that models read and people do not see: remove them`;
}

/** Escapes invisible characters in a value; returns the very same value where there are none. Keys stay as they are. */
function escapeValues(value: unknown, seen: { hidden: number; codePoint: number }): unknown {
  if (typeof value === "string") {
    const found = findHiddenCharacters(value);
    const [first] = found;
    if (first === undefined) return value;
    seen.codePoint ||= first.codePoint;
    seen.hidden += found.length;
    return escapeHiddenCharacters(value);
  }
  if (Array.isArray(value)) return value.map((item) => escapeValues(item, seen));
  if (typeof value !== "object" || value === null) return value;
  const visible = newFields();
  for (const [key, inner] of Object.entries(value)) visible[key] = escapeValues(inner, seen);
  return visible;
}
