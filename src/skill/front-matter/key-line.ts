import { splitLines } from "./lines.ts";
import { indentOf } from "./white-space.ts";

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

/** The line of the file that a field stands on; `firstLine` is the one on which `block` begins. */
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
