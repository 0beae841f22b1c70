import { isRecord, Refusal } from "#util/pure";
import { JSON_DOCUMENT } from "./json-document.ts";
import { TOML_DOCUMENT } from "./toml-document.ts";
import { isItem, isSame } from "./values.ts";
import { YAML_DOCUMENT } from "./yaml-document.ts";

/** What an agent's configuration says of one server, or of one hook. */
export type ConfigEntry = Readonly<Record<string, unknown>>;

/** Where an entry is in a document: `name` in the map below `keys`, or an item of the list there. */
export interface EntryPlace {
  readonly keys: readonly string[];
  readonly name: string;
  readonly inList: boolean;
  /** A new item is the last one of its list, because others are known by their number. */
  readonly atEnd?: boolean;
  /** Which item of a list is the entry: the one of that name unless given. */
  readonly isEntry?: (item: ConfigEntry) => boolean;
}

/** What an insertion added besides the entry: without it, nobody could tell `{}` from nothing afterwards. */
export interface Undo {
  /** How many maps around the entry were made for it. */
  readonly made: number;
  /** Text before and after what was inserted. */
  readonly lead: string;
  readonly tail: string;
  /** The document had no content, or comments only. */
  readonly root: boolean;
  /** YAML: the line of the map as it was before, such as `extensions: {}`. */
  readonly line?: string;
}

/** One format. Text has no byte order mark. Each function may refuse; none checks the meaning of its result. */
export interface DocumentFormat {
  /** The value of a document; undefined for one without content. */
  parse(text: string): unknown;
  insert(text: string, place: EntryPlace, entry: ConfigEntry): { readonly text: string; readonly undo: Undo };
  update(text: string, place: EntryPlace, entry: ConfigEntry, old: ConfigEntry): string;
  /** Removes an entry; without `undo`, what was inserted around it stays. */
  remove(text: string, place: EntryPlace, undo: Undo | undefined): string;
}

export type FormatName = "json" | "toml" | "yaml";

const FORMATS: Readonly<Record<FormatName, DocumentFormat>> = {
  json: JSON_DOCUMENT,
  toml: TOML_DOCUMENT,
  yaml: YAML_DOCUMENT,
};

const BOM = "\uFEFF";

/** The entry at a place; undefined if there is none. */
export function readEntry(text: string, format: FormatName, place: EntryPlace): ConfigEntry | undefined {
  return entryIn(FORMATS[format].parse(withoutBom(text)), place);
}

/**
 * Adds an entry. The result means the old document and the entry, and `removeEntry` gives back the same bytes: both are
 * checked here, so that a document which is written in an unusual way is refused instead of damaged.
 */
export function insertEntry(text: string, format: FormatName, place: EntryPlace, entry: ConfigEntry) {
  const { parse, insert, remove } = FORMATS[format];
  const before = withoutBom(text);
  const { text: after, undo } = insert(before, place, entry);
  const expected = withEntry(parse(before), place, entry);
  if (!means(parse, after, expected) || remove(after, place, undo) !== before) throw cannotEdit(place);
  return { text: withBomOf(text, after), undo };
}

/** Replaces the values of an entry in its place. */
export function updateEntry(text: string, format: FormatName, place: EntryPlace, entry: ConfigEntry): string {
  const { parse, update } = FORMATS[format];
  const before = withoutBom(text);
  const document = parse(before);
  const after = update(before, place, entry, entryIn(document, place) ?? {});
  if (!means(parse, after, withEntry(document, place, entry))) throw cannotEdit(place);
  return withBomOf(text, after);
}

/** Removes an entry and, as far as nothing else uses it, what was inserted around it. */
export function removeEntry(text: string, format: FormatName, place: EntryPlace, undo?: Undo): string {
  const { parse, remove } = FORMATS[format];
  const before = withoutBom(text);
  const after = remove(before, place, undo);
  const expected = pruned(withoutEntry(parse(before), place), place);
  if (!means((edited) => pruned(parse(edited), place), after, expected)) throw cannotEdit(place);
  return withBomOf(text, after);
}

/** Whether a text has this value. The result of an edit may not even be a valid document: then it has not. */
function means(parse: DocumentFormat["parse"], text: string, expected: unknown): boolean {
  try {
    return isSame(parse(text), expected);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function withBomOf(text: string, edited: string): string {
  return text.startsWith(BOM) ? BOM + edited : edited;
}

function cannotEdit({ keys, name }: EntryPlace): Refusal {
  const key = [...keys, name].join(".");
  return new Refusal(`The file is written in a way that cannot be edited safely: change '${key}' by hand.`, {
    code: "cannot-connect",
  });
}

type Container = Readonly<Record<string, unknown>>;

function containerIn(
  document: unknown,
  { keys, inList }: EntryPlace,
): Container | readonly unknown[] | undefined {
  let value = document;
  for (const key of keys) {
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) throw wrongKind("The file", "a map");
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (value === undefined || value === null) return undefined;
  if (inList ? Array.isArray(value) : isRecord(value)) return value as Container | readonly unknown[];
  throw wrongKind(keys.length === 0 ? "The file" : `'${keys.join(".")}'`, inList ? "a list" : "a map");
}

function wrongKind(what: string, expected: string): Refusal {
  return new Refusal(`${what} is not ${expected}: correct it by hand.`, { code: "cannot-connect" });
}

function entryIn(document: unknown, place: EntryPlace): ConfigEntry | undefined {
  const container = containerIn(document, place);
  if (container === undefined) return undefined;
  const value = isList(container)
    ? container.find((item) => isItem(place, item))
    : Object.hasOwn(container, place.name)
      ? container[place.name]
      : undefined;
  if (value === undefined || isRecord(value)) return value;
  throw wrongKind(`'${[...place.keys, place.name].join(".")}'`, "a map");
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function withEntry(document: unknown, place: EntryPlace, entry: ConfigEntry): unknown {
  return changed(document, place.keys, (container) => {
    if (!place.inList) return { ...(container as Container | undefined), [place.name]: entry };
    const items = isList(container) ? container : [];
    if (place.atEnd === true && items.some((item) => isItem(place, item)))
      return items.map((item) => (isItem(place, item) ? entry : item));
    const others = items.filter((item) => !isItem(place, item));
    return place.atEnd === true ? [...others, entry] : [entry, ...others];
  });
}

function withoutEntry(document: unknown, place: EntryPlace): unknown {
  return changed(document, place.keys, (container) => {
    if (isList(container)) return container.filter((item) => !isItem(place, item));
    const { [place.name]: _removed, ...others } = (container ?? {}) as Container;
    return others;
  });
}

function changed(value: unknown, keys: readonly string[], change: (container: unknown) => unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return change(value ?? undefined);
  const map = isRecord(value) ? value : {};
  return { ...map, [key]: changed(map[key], rest, change) };
}

/** A document without the empty containers on the way to the entry, which may stay or go. */
function pruned(document: unknown, { keys }: EntryPlace): unknown {
  const [key, ...rest] = keys;
  if (document === undefined || document === null) return {};
  if (key === undefined || !isRecord(document)) return document;
  const { [key]: value, ...others } = document;
  const inner = pruned(value, { keys: rest, name: "", inList: false });
  const isEmpty = isList(inner) ? inner.length === 0 : isRecord(inner) && Object.keys(inner).length === 0;
  return isEmpty ? others : { ...others, [key]: inner };
}
