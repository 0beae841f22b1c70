import { parse, TomlError } from "smol-toml";
import { Refusal } from "#util/pure";
import type { ConfigEntry, DocumentFormat, EntryPlace } from "./document.ts";
import { type Statement, updateStatements } from "./statements.ts";
import { lineEnding, linesOf } from "./text-style.ts";
import { isSame } from "./values.ts";

/** TOML. An entry is a table of its own at the end of the file; whatever else is there is not touched. */
export const TOML_DOCUMENT: DocumentFormat = {
  parse(text) {
    try {
      return parse(text, { integersAsBigInt: "asNeeded" });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const [what = ""] = error.message.split("\n");
      throw new Refusal(`The file is not valid TOML (line ${error.line}: ${what}): correct it first.`, {
        code: "cannot-connect",
      });
    }
  },

  insert(text, place, entry) {
    const eol = lineEnding(text);
    const gap = /(?:^|\n)\r?\n$/.test(text) ? "" : eol;
    const lead = text === "" ? "" : text.endsWith("\n") ? gap : eol + eol;
    return {
      text: `${text}${lead}${tableOf(place, entry, eol)}`,
      undo: { made: 0, lead, tail: "", root: false },
    };
  },

  update(text, place, entry, old) {
    const [table, ...others] = tablesOf(text, place);
    if (table === undefined) return text;
    // What has a table of its own stays there.
    const apart = new Set(others.map(({ path: { [place.keys.length + 1]: key = "" } }) => key));
    const own = Object.fromEntries(Object.entries(entry).filter(([key]) => !apart.has(key)));
    const eol = lineEnding(text);
    const plain = tableOf(place, own, eol);
    const commented = withComments(text.slice(table.start, table.end), own, old, eol);
    const block = commented !== undefined && meansSame(commented, plain) ? commented : plain;
    const isAtEnd = table.end === text.length && !text.endsWith("\n");
    return text.slice(0, table.start) + (isAtEnd ? block.trimEnd() : block) + text.slice(table.end);
  },

  remove(text, place, undo) {
    return tablesOf(text, place).reduceRight((rest, { start, end }) => {
      const before = rest.slice(0, start);
      const gap = undo?.lead ?? /(?<=\n)\r?\n$/.exec(before)?.[0] ?? "";
      return before.slice(0, before.length - (before.endsWith(gap) ? gap.length : 0)) + rest.slice(end);
    }, text);
  },
};

interface Table {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The table of an entry and the tables below it, in the order of the file. */
function tablesOf(text: string, { keys, name }: EntryPlace): readonly Table[] {
  const lines = linesOf(text);
  const wanted = [...keys, name];
  return lines.flatMap((line, index): readonly Table[] => {
    const path = headerPath(line.text);
    if (path === undefined || !wanted.every((key, depth) => path[depth] === key)) return [];
    const after = lines.slice(index + 1);
    const next = after.findIndex(({ text: other }) => headerPath(other) !== undefined);
    const own = next === -1 ? after : after.slice(0, next);
    // Blank lines and comments at the end belong to what comes next.
    const last = own.findLast(({ text: other }) => !/^\s*(?:#.*)?$/.test(other)) ?? line;
    return [{ path, start: line.start, end: last.next }];
  });
}

/** The keys of a line such as `[mcp_servers."a.b"]`; undefined for any other line. */
function headerPath(line: string): readonly string[] | undefined {
  if (!/^\s*\[[^[]/.test(line) && !/^\s*\[\[/.test(line)) return undefined;
  try {
    const path: string[] = [];
    let value: unknown = parse(line);
    while (typeof value === "object" && value !== null) {
      const inner: unknown = Array.isArray(value) ? value[0] : value;
      const [key] = Object.keys(inner ?? {});
      if (key === undefined) break;
      path.push(key);
      value = (inner as Record<string, unknown>)[key];
    }
    return path.length === 0 ? undefined : path;
  } catch {
    return undefined;
  }
}

/** A table with new values and the comments that it has; undefined if its lines cannot be told apart. */
function withComments(table: string, entry: ConfigEntry, old: ConfigEntry, eol: string): string | undefined {
  const [header = "", ...lines] = linesOf(table).map(({ text }) => text);
  const statements: Statement[] = [];
  let open: string[] = [];
  for (const line of lines) {
    open.push(line);
    // A value may go on for several lines.
    const keys = keysOf(open.join("\n"));
    if (keys === undefined) continue;
    statements.push({ key: keys[0], lines: open });
    open = [];
  }
  if (open.length > 0) return undefined;
  const print = (key: string, value: unknown): string => `${keyOf(key)} = ${valueOf(value)}`;
  return [header, ...updateStatements(statements, [old, entry], { print, commentOf }), ""].join(eol);
}

function keysOf(text: string): readonly string[] | undefined {
  try {
    return Object.keys(parse(text));
  } catch {
    return undefined;
  }
}

/** The first `#` behind which nothing is needed. */
function commentOf(line: string): string {
  for (const { index } of line.matchAll(/\s*#/g)) {
    if (keysOf(line.slice(0, index)) !== undefined) return line.slice(index);
  }
  return "";
}

function meansSame(a: string, b: string): boolean {
  try {
    return isSame(parse(a), parse(b));
  } catch {
    return false;
  }
}

function tableOf({ keys, name }: EntryPlace, entry: ConfigEntry, eol: string): string {
  const header = `[${[...keys, name].map(keyOf).join(".")}]`;
  const lines = Object.entries(entry).map(([key, value]) => `${keyOf(key)} = ${valueOf(value)}`);
  return [header, ...lines, ""].join(eol);
}

function keyOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** JSON's strings, numbers and lists are TOML's too. */
function valueOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueOf).join(", ")}]`;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${keyOf(key)} = ${valueOf(inner)}`)
    .join(", ")} }`;
}
