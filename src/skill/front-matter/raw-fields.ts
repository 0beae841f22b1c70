import { type KeyLine, readKeyLine } from "./key-line.ts";
import { splitLines } from "./lines.ts";
import { indentOf } from "./white-space.ts";

/** A field as it stands in the block, before anyone has decided what its value is. */
export interface RawField {
  readonly key: string;
  /** What follows the colon, trimmed. */
  readonly first: string;
  /** The lines below it that belong to it, as they are. */
  readonly rest: readonly string[];
  /** The key ends in a colon and white space, as YAML wants it. */
  readonly proper: boolean;
  /** 0-based line of the key in the block. */
  readonly line: number;
}

/** Cuts a block that is no YAML into the fields that a person sees in it. */
export function cutFields(block: string): readonly RawField[] {
  const lines = splitLines(block);
  const keys = lines.map(readKeyLine);
  const margin = keys.find((key) => key !== undefined)?.indent ?? 0;
  const atMargin = new Set(keys.filter((key) => key?.indent === margin).map((key) => key?.key));
  const fields: OpenField[] = [];
  for (const [number, line] of lines.entries()) {
    const current = fields.at(-1);
    const key = keys[number];
    if (key !== undefined && beginsField(key, current, margin, atMargin)) {
      const { value: first, proper } = key;
      fields.push({ key: key.key, first, proper, rest: [], line: number, freeText: opensFreeText(first) });
    } else if (current !== undefined) {
      current.rest.push(line);
      current.freeText ||= line.trim() !== "" && !line.startsWith("#") && indentOf(line) <= margin;
    }
  }
  return fields;
}

interface OpenField extends RawField {
  readonly rest: string[];
  /** Its text may go on at the margin, so not every `Word:` there begins another field. */
  freeText: boolean;
}

function beginsField(
  key: KeyLine,
  current: OpenField | undefined,
  margin: number,
  atMargin: ReadonlySet<string | undefined>,
): boolean {
  if (key.indent <= margin) {
    // "Note: …" in running text is a sentence; front matter keys begin with a small letter.
    return !(current?.freeText === true && /^[A-Z]/.test(key.key));
  }
  // A stray space before the key, below a value that YAML would not nest anything in.
  const isWanted = key.key === "name" || key.key === "description";
  return isWanted && !atMargin.has(key.key) && key.indent < 4 && current !== undefined && isOneLine(current);
}

function isOneLine(field: OpenField): boolean {
  return field.first !== "" && !field.freeText && field.rest.every((line) => line.trim() === "");
}

/** A quote that is not closed on its line, or a block scalar. */
function opensFreeText(value: string): boolean {
  const first = value.charAt(0);
  if (first === '"' || first === "'") return value.length === 1 || !value.endsWith(first);
  return first === "|" || first === ">";
}
