import { CORE_SCHEMA, loadAll, YAMLException } from "js-yaml";
import { Refusal } from "#util/pure";
import type { ConfigEntry, DocumentFormat, EntryPlace } from "./document.ts";
import { type Statement, updateStatements } from "./statements.ts";
import { type Line, lineEnding, linesOf } from "./text-style.ts";
import { isSame } from "./values.ts";

/** YAML, in block style. An entry is the first one of its map or list, on lines of its own. */
export const YAML_DOCUMENT: DocumentFormat = {
  parse(text) {
    const documents = parseAll(text);
    if (documents.length < 2) return documents[0];
    throw new Refusal("The file has several YAML documents: change it by hand.", { code: "cannot-connect" });
  },

  insert(text, place, entry) {
    const eol = lineEnding(text);
    const { keys, inList } = place;
    const [key = ""] = keys;
    const line = lineOfKey(text, key);
    if (line === undefined) {
      const lead = text === "" || text.endsWith("\n") ? "" : eol;
      const block = [`${key}:`, ...blockOf(place, entry, "  ")].join(eol);
      return { text: `${text}${lead}${block}${eol}`, undo: { made: 1, lead, tail: eol, root: false } };
    }
    // An empty map or list makes room for lines; its line comes back with `undo`.
    const isEmpty = EMPTY_VALUE.test(line.text);
    const opened = isEmpty ? line.text.replace(EMPTY_VALUE, ":$1") : line.text;
    const indent = childIndent(text, line, inList) ?? "  ";
    const block = blockOf(place, entry, indent).join(eol);
    return {
      text: `${text.slice(0, line.start)}${opened}${eol}${block}${text.slice(line.end)}`,
      undo: { made: 0, lead: "", tail: "", root: false, ...(isEmpty ? { line: line.text } : {}) },
    };
  },

  update(text, place, entry, old) {
    const found = linesOfEntry(text, place);
    if (found === undefined) return text;
    const eol = lineEnding(text);
    const replaced = (lines: readonly string[]): string =>
      text.slice(0, found.first.start) + lines.join(eol) + text.slice(found.last.end);
    const plain = replaced(blockOf(place, entry, found.indent));
    const own = linesOf(text).filter(({ start }) => start >= found.first.start && start <= found.last.start);
    const commented = withComments(own, place, entry, old);
    return commented !== undefined && meansSame(replaced(commented), plain) ? replaced(commented) : plain;
  },

  remove(text, place, undo) {
    const found = linesOfEntry(text, place);
    if (found === undefined) return text;
    const { key, first, last, isOnly } = found;
    const before = linesOf(text).findLast(({ start }) => start < first.start) ?? key;
    const rest = text.slice(last.end);
    if (!isOnly) return text.slice(0, before.end) + rest;
    if (undo !== undefined && undo.made > 0 && before.start === key.start) {
      const head = text.slice(0, key.start);
      const lead = head.endsWith(undo.lead) ? undo.lead.length : 0;
      return (
        head.slice(0, head.length - lead) + rest.slice(rest.startsWith(undo.tail) ? undo.tail.length : 0)
      );
    }
    const empty = key.text.replace(/:([ \t]*(?:#.*)?)$/, place.inList ? ": []$1" : ": {}$1");
    const line = undo === undefined ? empty : (undo.line ?? key.text);
    return text.slice(0, key.start) + line + text.slice(key.end, before.end) + rest;
  },
};

/** `: {}`, `: []`, `: null` or `: ~` at the end of a key's line, before a comment. */
const EMPTY_VALUE = /:[ \t]*(?:\{[ \t]*\}|\[[ \t]*\]|null|~)([ \t]*(?:#.*)?)$/;

function parseAll(text: string): readonly unknown[] {
  try {
    return loadAll(text, { schema: CORE_SCHEMA, maxDepth: 64, maxAliases: 100 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? "" : `line ${error.mark.line + 1}: `;
    throw new Refusal(`The file is not valid YAML (${line}${error.reason}): correct it first.`, {
      code: "cannot-connect",
    });
  }
}

function lineOfKey(text: string, key: string): Line | undefined {
  return linesOf(text).find(({ text: line }) =>
    [key, `"${key}"`, `'${key}'`].some(
      (written) => line.startsWith(written) && /^[ \t]*:(?:[ \t]|$)/.test(line.slice(written.length)),
    ),
  );
}

const isContent = ({ text }: Pick<Line, "text">): boolean => !/^[ \t]*(?:#.*)?$/.test(text);
const indentOf = ({ text }: Pick<Line, "text">): string => /^ */.exec(text)?.[0] ?? "";

/** The lines of a key's value. */
function linesBelow(text: string, key: Line, inList: boolean): readonly Line[] {
  const after = linesOf(text).filter(({ start }) => start > key.start);
  const end = after.findIndex(
    (line) => isContent(line) && indentOf(line) === "" && !(inList && /^-(?: |$)/.test(line.text)),
  );
  return end === -1 ? after : after.slice(0, end);
}

function childIndent(text: string, key: Line, inList: boolean): string | undefined {
  const first = linesBelow(text, key, inList).find(isContent);
  return first === undefined ? undefined : indentOf(first);
}

/** The lines of an entry, from its first to its last one with content. */
function linesOfEntry(text: string, { keys: [key = ""], name, inList }: EntryPlace) {
  const keyLine = lineOfKey(text, key);
  if (keyLine === undefined) return undefined;
  const below = linesBelow(text, keyLine, inList);
  const indent = childIndent(text, keyLine, inList);
  if (indent === undefined) return undefined;
  const starts = below.filter(
    (line) => isContent(line) && indentOf(line) === indent && (!inList || /^ *-(?: |$)/.test(line.text)),
  );
  const index = inList ? indexInList(text, key, name) : starts.findIndex((line) => isKey(line, name));
  const first = starts[index];
  if (first === undefined) return undefined;
  const next = starts[index + 1];
  const own = below.filter(({ start }) => start >= first.start && (next === undefined || start < next.start));
  const last = own.findLast((line) => isContent(line)) ?? first;
  return { key: keyLine, first, last, indent, isOnly: starts.length === 1 };
}

function isKey({ text }: Line, name: string): boolean {
  const trimmed = text.trimStart();
  return [name, `"${name}"`, `'${name}'`].some(
    (written) => trimmed.startsWith(written) && /^[ \t]*:(?:[ \t]|$)/.test(trimmed.slice(written.length)),
  );
}

function indexInList(text: string, key: string, name: string): number {
  const [document] = parseAll(text);
  const list: unknown = (document as Readonly<Record<string, unknown>> | undefined)?.[key];
  if (!Array.isArray(list)) return -1;
  return list.findIndex((item: unknown) => (item as { readonly name?: unknown } | null)?.name === name);
}

/** The lines of an entry with new values and the comments that it has; undefined if they cannot be told apart. */
function withComments(
  lines: readonly Line[],
  { inList }: EntryPlace,
  entry: ConfigEntry,
  old: ConfigEntry,
): readonly string[] | undefined {
  const [first, ...rest] = lines.map(({ text }) => text);
  if (first === undefined) return undefined;
  // The dash of a list item is where the indentation of its first key would be.
  const [head, body] = inList ? [[], [first.replace("-", " "), ...rest]] : [[first], rest];
  const content = body.find((line) => isContent({ text: line }));
  const indent = content === undefined ? undefined : indentOf({ text: content });
  if (indent === undefined) return undefined;
  const statements: Statement[] = [];
  for (const line of body) {
    const isDeeper = isContent({ text: line }) && indentOf({ text: line }).length > indent.length;
    const last = statements.at(-1);
    if (isDeeper && last?.key !== undefined)
      statements[statements.length - 1] = { ...last, lines: [...last.lines, line] };
    else statements.push({ key: isContent({ text: line }) ? keyIn(line) : undefined, lines: [line] });
  }
  const print = (key: string, value: unknown): string => `${indent}${scalarOf(key)}: ${valueOf(value)}`;
  const updated = [...updateStatements(statements, [old, entry], { print, commentOf })];
  if (!inList) return [...head, ...updated];
  const start = updated.findIndex((line) => isContent({ text: line }));
  // A comment before the first key would be in front of the dash.
  return start === 0 ? [dashed(updated[0] ?? "", first), ...updated.slice(1)] : undefined;
}

const dashed = (line: string, first: string): string => {
  const dash = first.indexOf("-");
  return `${line.slice(0, dash)}-${line.slice(dash + 1)}`;
};

const keyIn = (line: string): string | undefined =>
  /^ *(?:"([^"]*)"|'([^']*)'|([^\s:#]+))[ \t]*:(?:[ \t]|$)/
    .exec(line)
    ?.slice(1)
    .find((key) => key !== undefined);

/** The first `#` behind a blank that is outside of quotes. */
function commentOf(line: string): string {
  const [, comment = ""] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]|(?<=\S)#)*?([ \t]+#.*)$/.exec(line) ?? [];
  return comment;
}

function meansSame(a: string, b: string): boolean {
  try {
    return isSame(parseAll(a), parseAll(b));
  } catch {
    return false;
  }
}

function blockOf({ name, inList }: EntryPlace, entry: ConfigEntry, indent: string): readonly string[] {
  const pairs = Object.entries(entry).map(([key, value]) => `${scalarOf(key)}: ${valueOf(value)}`);
  if (!inList) return [`${indent}${scalarOf(name)}:`, ...pairs.map((pair) => `${indent}  ${pair}`)];
  return pairs.map((pair, index) => `${indent}${index === 0 ? "- " : "  "}${pair}`);
}

/** Lists and maps in flow style: JSON is YAML. */
function valueOf(value: unknown): string {
  if (typeof value === "string") return scalarOf(value);
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  return JSON.stringify(value);
}

function scalarOf(text: string): string {
  const isPlain = /^[A-Za-z][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
