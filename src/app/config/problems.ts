import type { core } from "zod";
import { cutText } from "../../catalog/cut-text.ts";
import { suggestNames } from "../../catalog/suggest.ts";
import { type KeyParts, keyPath } from "./key-path.ts";
import { DEFAULT_VALUES } from "./settings.ts";

/** More would hide the first ones. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 60;

/** One thing that is wrong in a file, and the key it is about. */
export interface KeyProblem {
  readonly key: string;
  readonly message: string;
}

/** What is wrong with a file's settings, one sentence for each key. */
export function explainIssues(issues: readonly core.$ZodIssue[], data: unknown): readonly KeyProblem[] {
  // A number far out of range breaks two rules, which is one problem.
  const distinct = new Map(issues.map((issue) => [`${issue.path.join("\0")}\0${issue.message}`, issue]));
  const all = [...distinct.values()].flatMap((issue): readonly (() => KeyProblem)[] => {
    const parts = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((name) => () => unknownKey(parts, name));
    }
    if (issue.code === "invalid_key") return [() => wrongExtension(parts)];
    return [() => wrongValue(parts, valueAt(data, parts), issue.message)];
  });
  const shown = all.slice(0, MOST_SHOWN).map((explain) => explain());
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, { key: "", message: `There are ${more} more problems like these.` }];
}

function wrongValue(parts: KeyParts, value: unknown, allowed: string): KeyProblem {
  const key = keyPath(parts);
  return { key, message: `${key === "" ? "It" : key} is ${describe(value)}, but must be ${allowed}.` };
}

function wrongExtension(parts: KeyParts): KeyProblem {
  const key = keyPath(parts);
  return { key, message: `${key} names no file extension; write it with its dot, such as ".sh".` };
}

function unknownKey(parts: KeyParts, name: string): KeyProblem {
  const key = keyPath([...parts, name]);
  const siblings = Object.keys(valueAt(DEFAULT_VALUES, parts) ?? {});
  const [meant] = suggestNames(name, siblings, 1);
  const elsewhere = meant === undefined && parts.length === 0 ? sectionsWith(name) : [];
  const [likely] = meant === undefined ? elsewhere : [keyPath([...parts, meant])];
  const place = parts.length === 0 ? "The sections are" : `The settings of ${keyPath(parts)} are`;
  const way = likely === undefined ? `${place} ${siblings.join(", ")}.` : `Did you mean ${likely}?`;
  return { key, message: `${key} is not a setting. ${way}` };
}

/** Where a setting that was written outside of its section belongs. */
function sectionsWith(name: string): readonly string[] {
  return Object.entries(DEFAULT_VALUES)
    .filter(([, keys]) => Object.hasOwn(keys, name))
    .map(([section]) => keyPath([section, name]));
}

function valueAt(data: unknown, parts: KeyParts): unknown {
  let value = data;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return "something else";
  // What may hold a password is not repeated.
  return value.includes("@") ? "a text" : JSON.stringify(cutText(value, LONGEST_SHOWN));
}
