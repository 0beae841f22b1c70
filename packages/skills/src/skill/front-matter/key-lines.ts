/** A line that a person reads as the beginning of a front matter field. */
export interface KeyLine {
  readonly key: string;
  readonly indent: number;
  /** What follows the colon, trimmed. */
  readonly value: string;
  /** Written as YAML wants it: a colon, then white space or nothing. */
  readonly proper: boolean;
}

export function readKeyLine(line: string): KeyLine | undefined {
  const indent = indentOf(line);
  const match = KEY.exec(indent === 0 ? line : line.slice(indent));
  const key = match?.[1] ?? match?.[2];
  if (match === null || key === undefined) return undefined;
  const value = line.slice(indent + match[0].length).trim();
  return { key, indent, value, proper: match[1] !== undefined };
}

/** The line of the file that a field is on; `firstLine` is the one on which `block` begins. */
export function lineOfKey(key: string, block: string, firstLine: number): { readonly line?: number } {
  const offset = splitLines(block).findIndex((line) => readKeyLine(line)?.key === key);
  return offset === -1 ? {} : { line: firstLine + offset };
}

/** Which of the two fields that every skill needs have a line of their own at the left margin. */
export function seesNameAndDescription(lines: Iterable<string>): boolean {
  let name = false;
  let description = false;
  for (const line of lines) {
    name ||= /^name[ \t]*:/.test(line);
    description ||= /^description[ \t]*:/.test(line);
    if (name && description) return true;
  }
  return false;
}

// `word:` and white space or nothing. The two fields that matter are also read without the white space, and
// with the full-width colon that Chinese and Japanese keyboards type.
const KEY = /^(?:([A-Za-z_][\w.-]{0,63})[ \t]{0,8}:(?=\s|$)|(name|description)[ \t]{0,8}[:：])/;

/** A field as written in the block; its value is not interpreted yet. */
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

/** Splits a block that is not valid YAML into the fields that a person sees in it. */
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

/** One line of a longer text, as positions in it. */
export interface TextLine {
  readonly start: number;
  /** Where its line break begins, or the end of the text. */
  readonly end: number;
  /** Where the next line begins, or the end of the text. */
  readonly next: number;
}

/**
 * The line that begins at `start`. LF, CRLF and a lone CR end a line, as in YAML. Written as a loop because
 * `indexOf` for a CR that a file does not contain would run to its end for every line.
 */
export function lineAt(text: string, start: number): TextLine {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return { start, end: at, next: at + 1 };
    if (unit === CR) return { start, end: at, next: text.charCodeAt(at + 1) === LF ? at + 2 : at + 1 };
  }
  return { start, end: text.length, next: text.length };
}

export function splitLines(text: string): readonly string[] {
  return text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n");
}

export function hasMoreLinesThan(text: string, limit: number): boolean {
  let lines = 0;
  for (let start = 0; start < text.length; start = lineAt(text, start).next) {
    if (++lines > limit) return true;
  }
  return false;
}

/** Whether YAML has nothing to say: blank lines and comments alone. */
export function isBlankYaml(text: string): boolean {
  return splitLines(text).every((line) => /^\s*(?:#|$)/.test(line));
}

const LF = 10;
const CR = 13;

/** Trimmed, with every run of white space (line breaks included) as one space. */
export function collapseWhiteSpace(text: string): string {
  const trimmed = text.trim();
  return MORE_THAN_SINGLE_SPACES.test(trimmed) ? trimmed.replaceAll(/\s+/g, " ") : trimmed;
}

/** How many spaces and tabs a line begins with. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " " || line[indent] === "\t") indent++;
  return indent;
}

const MORE_THAN_SINGLE_SPACES = / {2}|[^\S ]/;
