import type { Problem } from "../problem.ts";
import type { Fields } from "./fields.ts";
import { lineOfKey, readKeyLine } from "./key-line.ts";
import { splitLines } from "./lines.ts";
import { collapseWhiteSpace } from "./white-space.ts";

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
  const state = key in fields ? `The \`${key}\` is empty` : `There is no \`${key}\``;
  const hint = almost === undefined ? "" : ` \`${almost}\` must be written in small letters.`;
  return {
    code: key === "name" ? "missing-name" : "missing-description",
    message: `${state} in the front matter; add a line such as \`${example}\`.${hint}`,
  };
}

/** `firstLine` is the line of the file on which `block` begins. */
export function unreadable(key: RequiredKey, block: string, firstLine: number): Problem {
  return {
    ...lineOfKey(key, block, firstLine),
    code: "front-matter-unreadable",
    message: `The \`${key}\` is a list or a map, or opens one and never closes it; write it as text, in double quotes if it begins with \`[\` or \`{\`.`,
  };
}
