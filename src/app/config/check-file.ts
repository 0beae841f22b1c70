import path from "node:path";
import type { core } from "zod";
import { cutText } from "../../catalog/cut-text.ts";
import { suggestNames } from "../../catalog/suggest.ts";
import { expandHome } from "../../system/files/home-folder.ts";
import { type KeyParts, keyPath, type Leaf, leavesOf } from "./leaves.ts";
import type { Setting } from "./merge.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { SCHEMA } from "./schema.ts";
import { type ConfigProblem, DEFAULT_VALUES } from "./settings.ts";

export interface CheckedFile {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
}

/** What a file's text sets, or everything that is wrong with it. */
export function checkConfigFile({
  file,
  text,
  home,
}: {
  readonly file: string;
  readonly text: string;
  readonly home: string;
}): CheckedFile {
  const parsed = parseConfigText(text);
  if (!parsed.ok)
    return { settings: [], problems: [{ place: at(file, parsed.line), message: parsed.message }] };
  const { data, lineOf } = parsed;
  if (data === undefined) return { settings: [], problems: [] };
  const checked = SCHEMA.safeParse(data);
  if (!checked.success) {
    const problems = explainIssues(checked.error.issues, data)
      .map(({ key, message }) => ({ line: lineOf(key), message }))
      .sort((a, b) => (a.line ?? LAST) - (b.line ?? LAST))
      .map(({ line, message }) => ({ place: at(file, line), message }));
    return { settings: [], problems };
  }
  const { scripts } = checked.data;
  const folders = scripts?.folders?.map((folder) => path.resolve(expandHome(folder, home)));
  const absolute =
    folders === undefined ? checked.data : { ...checked.data, scripts: { ...scripts, folders } };
  const settings = leavesOf(absolute).map((leaf): Setting => {
    const line = lineOf(keyPath(leaf.parts));
    return { ...inLowerCase(leaf), origin: { kind: "file", file, ...(line === undefined ? {} : { line }) } };
  });
  return { settings, problems: [] };
}

/** A script's extension is compared in lower case, so those of the settings are too. */
function inLowerCase({ parts, value }: Leaf): Leaf {
  const [section, key, name] = parts;
  if (section !== "scripts") return { parts, value };
  if (key === "runners" && name !== undefined) return { parts: [section, key, name.toLowerCase()], value };
  if (key !== "allowed_extensions" || !Array.isArray(value)) return { parts, value };
  return { parts, value: value.map((extension) => String(extension).toLowerCase()) };
}

const LAST = Number.MAX_SAFE_INTEGER;

function at(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** More would hide the first ones. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 60;

/** One thing that is wrong in a file, and the key it is about. */
interface KeyProblem {
  readonly key: string;
  readonly message: string;
}

/** What is wrong with a file's settings, one sentence for each key. */
function explainIssues(issues: readonly core.$ZodIssue[], data: unknown): readonly KeyProblem[] {
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
  return more === 0 ? shown : [...shown, { key: "", message: `There are ${more} more problems.` }];
}

function wrongValue(parts: KeyParts, value: unknown, allowed: string): KeyProblem {
  const key = keyPath(parts);
  return { key, message: `${key === "" ? "The file" : key} is ${describe(value)}, but must be ${allowed}.` };
}

function wrongExtension(parts: KeyParts): KeyProblem {
  const key = keyPath(parts);
  return { key, message: `${key} is not a file extension; write it with its dot, such as ".sh".` };
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

/** The sections that have a setting of this name, for one that was written outside of its section. */
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
  // A value that may contain a password is not repeated.
  return value.includes("@") ? "a text" : JSON.stringify(cutText(value, LONGEST_SHOWN));
}
