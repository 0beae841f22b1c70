import path from "node:path";
import type { core } from "zod";
import { expandHome, isInside } from "#util";
import { cutText, isRecord, suggestNames } from "#util/pure";
import { ownConfigFile } from "./config-files.ts";
import type { ValueType } from "./declaration.ts";
import { PROFILE_SETTINGS } from "./declared-settings.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { SCHEMA } from "./schema.ts";
import {
  type ConfigProblem,
  DECLARED,
  DEFAULT_VALUES,
  type DeclaredSetting,
  declaredAt,
  EVERYTHING,
  type KeyParts,
  keyPath,
  type Leaf,
  leavesOf,
  SECTIONS,
  type Setting,
  type WithheldKinds,
  withheldAt,
} from "./settings.ts";

/** Who wrote a file, which decides what it may set. */
export type FileOwner = "operator" | "library" | "project";

/** One thing that is wrong in a file, and the key it is about. */
interface KeyProblem {
  readonly key: string;
  readonly message: string;
  /** What the key can withhold in the operator's own file. */
  readonly withholds?: WithheldKinds;
}

export interface CheckedFile {
  /** What the file sets. With problems: of the operator's file what is right in it, of any other nothing. */
  readonly settings: readonly Setting[];
  /** Reasons for a command and a server over HTTP not to start. */
  readonly problems: readonly ConfigProblem[];
  /** Keys that were ignored, because they are unknown or not for this owner to set. */
  readonly warnings: readonly ConfigProblem[];
}

interface FileToCheck {
  readonly file: string;
  readonly text: string;
  readonly home: string;
  readonly owner?: FileOwner;
}

/** What a file's text sets, or everything that is wrong with it. */
export function checkConfigFile({ file, text, home, owner = "operator" }: FileToCheck): CheckedFile {
  const parsed = parseConfigText(text);
  if (!parsed.ok) {
    const { line, message } = parsed;
    return failed([{ place: at(file, line), message, ...withheldBy(owner) }]);
  }
  const { lineOf } = parsed;
  if (parsed.data === undefined) return failed([]);
  const inOrder = (found: readonly KeyProblem[]): readonly ConfigProblem[] =>
    found
      .map(({ key, ...problem }) => ({ ...problem, line: lineOf(key) }))
      .sort((a, b) => (a.line ?? LAST) - (b.line ?? LAST))
      .map(({ line, message, withholds }) => ({
        place: at(file, line),
        message,
        ...withheldBy(owner, withholds),
      }));

  const { data, ignored } = withoutForbidden(parsed.data, owner, ownConfigFile(home));
  const { issues, unknown, value } = validate(data);
  const warnings = inOrder([...ignored, ...explainIssues(unknown, data)]).map(({ place, message }) => ({
    place,
    message,
  }));
  const problems = inOrder(explainIssues(issues, data));
  if (problems.length > 0 && owner !== "operator") return { ...failed(problems), warnings };
  const leaves = leavesOf(value).map((leaf) => normalized(leaf, file, home));
  const outside = owner === "project" ? foldersOutside(leaves, path.dirname(file)) : [];
  const settings = leaves.map((leaf): Setting => {
    const line = lineOf(keyPath(leaf.parts));
    return { ...leaf, origin: { kind: "file", file, ...(line === undefined ? {} : { line }) } };
  });
  return outside.length > 0 ? { ...failed(inOrder(outside)), warnings } : { settings, problems, warnings };
}

/** What is not served because of a problem in a file: of the operator's own, what the wrong key can withhold. */
export function withheldBy(
  owner: FileOwner,
  atKey: WithheldKinds = EVERYTHING,
): Pick<ConfigProblem, "withholds"> {
  const withholds = owner === "operator" ? atKey : owner === "library" ? (["library"] as const) : [];
  return withholds.length === 0 ? {} : { withholds };
}

function failed(problems: readonly ConfigProblem[]): CheckedFile {
  return { settings: [], problems, warnings: [] };
}

const MOST_PASSES = 4;

/** Checks the data, and returns what is left of it without unknown keys (a file may be for a newer version) and wrong values. */
function validate(data: unknown) {
  const issues: core.$ZodIssue[] = [];
  const unknown: core.$ZodIssueUnrecognizedKeys[] = [];
  let rest: unknown = structuredClone(data);
  // What contradicts something else shows only once everything else is right.
  for (let pass = 0; ; pass++) {
    const { success, data: value, error } = SCHEMA.safeParse(rest);
    if (success) return { issues, unknown, value };
    if (pass === MOST_PASSES) return { issues, unknown, value: {} };
    for (const issue of error.issues) {
      if (issue.code === "unrecognized_keys") {
        unknown.push(issue);
        for (const key of issue.keys) rest = without(rest, [...issue.path, key] as KeyParts);
      } else {
        issues.push(issue);
        // A setting is wrong as a whole, and so is a profile.
        const parts = issue.path as KeyParts;
        rest = without(rest, parts.slice(0, declaredAt(parts)?.parts.length ?? 2));
      }
    }
  }
}

/** The data without what is at a key, and without everything when that is the data itself. */
function without(data: unknown, parts: KeyParts): unknown {
  const branch = valueAt(data, parts.slice(0, -1));
  const isThere = typeof branch === "object" && branch !== null;
  if (parts.length === 0) return {};
  if (isThere) Reflect.deleteProperty(branch, parts.at(-1) ?? "");
  return data;
}

/** Paths are relative to the file that they stand in; extensions are compared in lower case. */
function normalized({ parts, value }: Leaf, file: string, home: string): Leaf {
  const type = declaredAt(parts)?.type;
  if (type?.kind === "runners") return { parts: parts.map((part) => part.toLowerCase()), value };
  const as = textOf(type)?.as;
  const change = (text: unknown): string =>
    as === "path"
      ? path.resolve(path.dirname(file), expandHome(String(text), home))
      : String(text).toLowerCase();
  if (as !== "path" && as !== "extension") return { parts, value };
  return { parts, value: Array.isArray(value) ? value.map(change) : change(value) };
}

/** What a text, or each text of a list, must be; undefined for other types. */
function textOf(type: ValueType | undefined) {
  if (type?.kind === "list") return type.of;
  return type?.kind === "text" ? type : undefined;
}

/** A project may add folders below its own file, and no others. */
function foldersOutside(leaves: readonly Leaf[], project: string): readonly KeyProblem[] {
  return leaves.flatMap(({ parts, value }) => {
    const isPath = textOf(declaredAt(parts)?.type)?.as === "path";
    return (isPath && Array.isArray(value) ? value : []).flatMap((folder: string, index) => {
      const key = keyPath([...parts, index]);
      return isInside(project, folder)
        ? []
        : [{ key, message: `${key} is ${JSON.stringify(folder)}, but must be a folder below ${project}.` }];
    });
  });
}

const LAST = Number.MAX_SAFE_INTEGER;

function at(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** How many problems are listed: more would hide the first ones. */
const MOST_SHOWN = 20;
const LONGEST_SHOWN = 60;

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
  const rest = { key: "", message: `There are ${more} more problems.`, withholds: EVERYTHING };
  return more === 0 ? shown : [...shown, rest];
}

function wrongValue(parts: KeyParts, value: unknown, allowed: string): KeyProblem {
  const key = keyPath(parts);
  const isSecret = declaredAt(parts)?.secret === true;
  const shown = isSecret && typeof value === "string" ? "a text" : describe(value);
  const message = `${key === "" ? "The file" : key} is ${shown}, but must be ${allowed}.`;
  return { key, message, withholds: withheldAt(parts) };
}

function wrongExtension(parts: KeyParts): KeyProblem {
  const key = keyPath(parts);
  const message = `${key} is not a file extension; write it with its dot, such as ".sh".`;
  return { key, message, withholds: withheldAt(parts) };
}

function unknownKey(parts: KeyParts, name: string): KeyProblem {
  const key = keyPath([...parts, name]);
  const isInProfile = parts[0] === "profiles" && parts.length === 2;
  const known = Object.keys(isInProfile ? PROFILE_SETTINGS : (valueAt(DEFAULT_VALUES, parts) ?? {}));
  const siblings = parts.length === 0 ? SECTIONS : known;
  const [elsewhere] = parts.length === 0 ? sectionsWith(name.replaceAll("-", "_")) : [];
  const [meant] = suggestNames(name, siblings, 1);
  const likely = elsewhere ?? (meant === undefined ? undefined : keyPath([...parts, meant]));
  const place = parts.length === 0 ? "The sections are" : `The settings of ${keyPath(parts)} are`;
  const way = likely === undefined ? `${place} ${siblings.join(", ")}.` : `Did you mean ${likely}?`;
  return { key, message: `${key} is not a setting. ${way}` };
}

/** The sections that have a setting of this name, for one that was written outside of its section. */
function sectionsWith(name: string): readonly string[] {
  return Object.entries(DEFAULT_VALUES).flatMap(([section, keys]: [string, object]) => {
    const known = [name, `${name}s`].find((key) => !Array.isArray(keys) && Object.hasOwn(keys, key));
    return known === undefined ? [] : [keyPath([section, known])];
  });
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

/** Removes the keys that a file's owner may not set, and names them. Keys that are no settings stay. */
function withoutForbidden(
  data: unknown,
  owner: FileOwner,
  ownFile: string,
): { readonly data: unknown; readonly ignored: readonly KeyProblem[] } {
  if (owner === "operator" || !isRecord(data)) return { data, ignored: [] };
  const rest = structuredClone(data) as Record<string, unknown>;
  const ignored: KeyProblem[] = [];
  const leaveOut = (branch: object, parts: KeyParts): void => {
    const key = keyPath(parts);
    Reflect.deleteProperty(branch, parts.at(-1) ?? "");
    ignored.push({ key, message: `${key} was ignored, because ${reasonFor(owner)}; set it in ${ownFile}.` });
  };
  const maySet = (declared: DeclaredSetting): boolean => declared[owner] !== undefined;
  for (const [section, value] of Object.entries(data)) {
    if (!SECTIONS.includes(section)) continue;
    const mayUse = DECLARED.some((declared) => declared.parts[0] === section && maySet(declared));
    // A library's keys are named one by one only where it may set another key of the section.
    if (owner === "library" ? !mayUse : !isRecord(value) || section === "profiles") {
      if (!mayUse) leaveOut(rest, [section]);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        const declared = declaredAt([section, key]);
        if (declared !== undefined && !maySet(declared)) leaveOut(rest[section] as object, [section, key]);
      }
    }
  }
  return { data: rest, ignored };
}

function reasonFor(owner: FileOwner): string {
  return owner === "library" ? "a library may not set it" : "a project may only narrow and add";
}

/** The value of a key in a file's data. */
function valueAt(data: unknown, parts: KeyParts): unknown {
  let value = data;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
