import {
  applyEdits,
  createScanner,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { Refusal } from "#util/pure";
import type { ConfigEntry, DocumentFormat, EntryPlace, Undo } from "./document.ts";
import { indentAt, indentUnit, lineEnding } from "./text-style.ts";
import { isItem, isSame } from "./values.ts";

/** JSON, also with comments and trailing commas. Edits touch nothing but what they add or remove. */
export const JSON_DOCUMENT: DocumentFormat = {
  parse(text) {
    const root = treeOf(text);
    return root === undefined ? undefined : valueOf(root);
  },

  insert(text, place, entry) {
    const root = treeOf(text);
    if (root === undefined) return insertRoot(text, place, entry);
    const { container, missing } = deepestContainer(root, place);
    const [key, ...inner] = place.inList ? missing : [...missing, place.name];
    const value = nested(inner, place.inList && missing.length > 0 ? [entry] : entry);
    const { text: inserted, tail } = insertChild(text, container, key, value);
    return { text: inserted, undo: { made: missing.length, lead: "", tail, root: false } };
  },

  update(text, place, entry, old) {
    const unit = indentUnit(text);
    const formattingOptions = {
      eol: lineEnding(text),
      insertSpaces: !unit.includes("\t"),
      tabSize: unit.length,
    };
    const changes = [...new Set([...Object.keys(old), ...Object.keys(entry)])].filter(
      (key) => !isSame(old[key], entry[key]),
    );
    const root = treeOf(text);
    const item = root === undefined || !place.inList ? undefined : itemOf(root, place);
    const last = item === undefined ? place.name : (item.parent?.children?.indexOf(item) ?? 0);
    return changes.reduce((edited, key) => {
      const edits = modify(edited, [...place.keys, last, key], entry[key], { formattingOptions });
      return applyEdits(edited, edits);
    }, text);
  },

  remove(text, place, undo) {
    const root = treeOf(text);
    const found = root === undefined ? undefined : nodesTo(root, place);
    if (root === undefined || found === undefined) return text;
    let made = undo?.made ?? 0;
    while (made > 0 && found.length > 1 && isAlone(text, found.at(-1))) {
      found.pop();
      made--;
    }
    const property = found.at(-1);
    if (property === undefined) return text;
    if (undo?.root === true && made === 0 && isAlone(text, property)) return removeRoot(text, root, undo);
    return removeProperty(text, property, made === 0 ? (undo?.tail ?? "") : "");
  },
};

/** Far above any configuration. What reads the tree is recursive, and a few thousand levels would end it. */
const MOST_LEVELS = 500;

function checkLevels(text: string): void {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const token = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : "";
    if (token === "{" || token === "[") level++;
    else if (token === "}" || token === "]") level--;
    if (level > MOST_LEVELS)
      throw new Refusal(
        `The file has more than ${MOST_LEVELS} levels of objects and lists: change it by hand.`,
        {
          code: "cannot-connect",
        },
      );
  }
}

function treeOf(text: string): Node | undefined {
  checkLevels(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    const what = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw new Refusal(`The file is not valid JSON (line ${line}: ${what.toLowerCase()}): correct it first.`, {
      code: "cannot-connect",
    });
  }
  return root;
}

/** A name may be `__proto__`, which an assignment would lose. */
function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[key.value as string, valueOf(value)]],
    ),
  );
}

const endOf = (node: Node): number => node.offset + node.length;

/** The property of a name in an object; two of them would mean different things to different readers. */
function propertyOf(object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === name);
  if (found.length < 2) return found[0];
  throw new Refusal(`The file has '${name}' twice in one place: remove one of them first.`, {
    code: "cannot-connect",
  });
}

/** The innermost object or list on the way to a place, and the keys that it lacks. */
function deepestContainer(root: Node, { keys, name, inList }: EntryPlace) {
  let container = root;
  for (const [index, key] of keys.entries()) {
    checkType(container, "object", keys.slice(0, index));
    const value = propertyOf(container, key)?.children?.[1];
    if (value === undefined) return { container, missing: keys.slice(index) };
    container = value;
  }
  checkType(container, inList ? "array" : "object", keys);
  if (!inList) propertyOf(container, name);
  return { container, missing: [] };
}

function checkType({ type }: Node, wanted: "object" | "array", keys: readonly string[]): void {
  if (type === wanted) return;
  const what = keys.length === 0 ? "The file" : `'${keys.join(".")}'`;
  const kind = wanted === "object" ? "an object" : "a list";
  throw new Refusal(`${what} is not ${kind}: correct it by hand.`, { code: "cannot-connect" });
}

/** The properties on the way to an entry, outermost first, or those to its list and the item; undefined without one. */
function nodesTo(root: Node, place: EntryPlace): Node[] | undefined {
  if (!place.inList) return propertiesTo(root, [...place.keys, place.name]);
  const found = propertiesTo(root, place.keys);
  const item = itemOf(root, place);
  return found === undefined || item === undefined ? undefined : [...found, item];
}

function itemOf(root: Node, place: EntryPlace): Node | undefined {
  const list = propertiesTo(root, place.keys)?.at(-1)?.children?.[1];
  return list?.type === "array" ? list.children?.find((item) => isItem(place, valueOf(item))) : undefined;
}

/** The properties on the way to a value, outermost first; undefined if it is not there. */
function propertiesTo(root: Node, keys: readonly string[]): Node[] | undefined {
  const found: Node[] = [];
  let object: Node | undefined = root;
  for (const key of keys) {
    const property: Node | undefined = object?.type === "object" ? propertyOf(object, key) : undefined;
    if (property === undefined) return undefined;
    found.push(property);
    object = property.children?.[1];
  }
  return found;
}

/** Whether an object has nothing but this property: no other one, and no comment. */
function isAlone(text: string, property: Node | undefined): boolean {
  const object = property?.parent;
  if (property === undefined || object?.children?.length !== 1) return false;
  const around = [
    ...tokensBetween(text, object.offset + 1, property.offset),
    ...tokensBetween(text, endOf(property), endOf(object) - 1),
  ];
  return around.every(({ isComma }) => isComma);
}

interface Token {
  /** Otherwise a comment. */
  readonly isComma: boolean;
  readonly start: number;
  readonly end: number;
}

/** Commas and comments between two properties. */
function tokensBetween(text: string, from: number, to: number): readonly Token[] {
  const scanner = createScanner(text.slice(from, to), false);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = from + scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const token = text.slice(start, end).trim();
    if (token !== "") tokens.push({ isComma: token === ",", start, end });
  }
  return tokens;
}

/** The end of what follows an offset on its line: a comment there belongs to what is before it. */
function endOfRemarks(text: string, from: number, to: number): number {
  let end = from;
  for (const token of tokensBetween(text, from, to)) {
    if (/[\r\n]/.test(text.slice(end, token.start)) || token.isComma) break;
    end = token.end;
  }
  return end;
}

/** Adds a property at the end of an object, or without a key an item at the end of a list. */
function insertChild(text: string, object: Node, key: string | undefined, value: unknown) {
  const close = endOf(object) - 1;
  const last = object.children?.at(-1);
  const eol = lineEnding(text);
  if (last === undefined) {
    const at = endOfRemarks(text, object.offset + 1, close);
    const outer = indentAt(text, object.offset);
    const indent = outer + indentUnit(text);
    const tail = /[\r\n]/.test(text.slice(at, close)) ? "" : eol + outer;
    const property = `${eol}${indent}${formatted(text, key, value, indent)}`;
    return { text: text.slice(0, at) + property + tail + text.slice(at), tail };
  }
  const comma = tokensBetween(text, endOf(last), close).find(({ isComma }) => isComma);
  const at = endOfRemarks(text, comma?.end ?? endOf(last), close);
  const first = object.children?.[0] ?? last;
  const isMultiline = /[\r\n]/.test(text.slice(object.offset, first.offset) + text.slice(endOf(last), close));
  const indent = indentAt(text, last.offset);
  const property = isMultiline
    ? `${eol}${indent}${formatted(text, key, value, indent)}`
    : ` ${keyText(key)}${JSON.stringify(value)}`;
  const separator = comma === undefined ? "," : "";
  const trailing = comma === undefined ? "" : ",";
  return {
    text: `${text.slice(0, endOf(last))}${separator}${text.slice(endOf(last), at)}${property}${trailing}${text.slice(at)}`,
    tail: "",
  };
}

function removeProperty(text: string, property: Node, tail: string): string {
  const object = property.parent;
  if (object === undefined) return text;
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const close = endOf(object) - 1;
  const before = tokensBetween(
    text,
    previous === undefined ? object.offset + 1 : endOf(previous),
    property.offset,
  );
  const after = tokensBetween(text, endOf(property), next?.offset ?? close);
  const commaBefore = before.find(({ isComma }) => isComma);
  const commaAfter = after.find(({ isComma }) => isComma);
  const start = before.at(-1)?.end ?? (previous === undefined ? object.offset + 1 : endOf(previous));
  let end = commaAfter?.end ?? endOf(property);
  if (siblings.length === 1 && text.startsWith(tail, end)) end += tail.length;
  // The last one takes the comma before it along; a comment in between stays.
  return next === undefined && commaBefore !== undefined && commaAfter === undefined
    ? text.slice(0, commaBefore.start) + text.slice(commaBefore.end, start) + text.slice(end)
    : text.slice(0, start) + text.slice(end);
}

function insertRoot(
  text: string,
  { keys, name, inList }: EntryPlace,
  entry: ConfigEntry,
): { text: string; undo: Undo } {
  const eol = lineEnding(text);
  const lead = text === "" || text.endsWith("\n") ? "" : eol;
  const value = inList ? nested(keys, [entry]) : nested([...keys, name], entry);
  const body = prettyJson(value, "  ").replaceAll("\n", eol);
  return {
    text: `${text}${lead}${body}${eol}`,
    undo: { made: keys.length, lead, tail: eol, root: true },
  };
}

function removeRoot(text: string, root: Node, { lead, tail }: Undo): string {
  const hasLead = text.slice(0, root.offset).endsWith(lead);
  const end = endOf(root) + (text.startsWith(tail, endOf(root)) ? tail.length : 0);
  return text.slice(0, root.offset - (hasLead ? lead.length : 0)) + text.slice(end);
}

function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function formatted(text: string, key: string | undefined, value: unknown, indent: string): string {
  const lines = prettyJson(value, indentUnit(text)).split("\n");
  return `${keyText(key)}${lines.join(lineEnding(text) + indent)}`;
}

const keyText = (key: string | undefined): string => (key === undefined ? "" : `${JSON.stringify(key)}: `);

const LIST_OF_TEXTS = /\[\n\s*("(?:[^"\\]|\\.)*"(?:,\n\s*"(?:[^"\\]|\\.)*")*)\n\s*\]/g;

/** A list of arguments on one line, as people write it. */
function prettyJson(value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    LIST_OF_TEXTS,
    (_list, items: string) => `[${items.replaceAll(/,\n\s*/g, ", ")}]`,
  );
}
