import type { Limit } from "#agents";

/** Which places of a text belong together: the lines of it, or in Markdown also its code blocks. */
export type TextKind = "markdown" | "plain";

/**
 * Where a page that begins at `start` ends, so that it is as long as the limit allows. A page ends between two blocks of
 * code or text; inside a block only if that is longer than a page, and then after a line; inside a line only if that is
 * longer than a page, and then between two characters as people see them. Every page holds something, so that the last
 * one comes.
 */
export function endOfPage(text: string, start: number, limit: Limit, kind: TextKind): number {
  const most = farthestEnd(text, start, limit);
  if (most >= text.length) return text.length;
  const between = kind === "markdown" ? blockStarts(text).findLast((at) => at <= most) : undefined;
  if (between !== undefined && between > start) return between;
  const line = text.lastIndexOf("\n", most - 1) + 1;
  if (line > start) return line;
  const character = new Intl.Segmenter().segment(text.slice(start, most + 2)).containing(most - start);
  if (character !== undefined && character.index > 0) return start + character.index;
  return Math.max(most, start + widthAt(text, start));
}

/** A position that is not in the middle of a surrogate pair. */
export function wholePosition(text: string, position: number): number {
  return position > 0 && widthAt(text, position - 1) === 2 ? position - 1 : position;
}

export function sizeOf(text: string, unit: Limit["unit"]): number {
  if (unit === "characters") return text.length;
  let size = 0;
  for (let at = 0; at < text.length; at += widthAt(text, at)) size += costAt(text, at, unit);
  return size;
}

/** The end of the longest part from `start` within the limit. */
function farthestEnd(text: string, start: number, { count, unit }: Limit): number {
  let left = count;
  for (let at = start; at < text.length; at += widthAt(text, at)) {
    left -= costAt(text, at, unit);
    if (left < 0) return at;
  }
  return text.length;
}

/** How many UTF-16 units the code point at a position has. */
function widthAt(text: string, at: number): 1 | 2 {
  return isSurrogate(text.charCodeAt(at), 0xd800) && isSurrogate(text.charCodeAt(at + 1), 0xdc00) ? 2 : 1;
}

function isSurrogate(unit: number, first: 0xd800 | 0xdc00): boolean {
  return unit >= first && unit < first + 0x400;
}

/** Characters that JSON writes as a backslash and a letter. */
const SHORT_ESCAPES = '"\\\b\f\n\r\t';

/** What the code point at a position counts. */
function costAt(text: string, at: number, unit: Limit["unit"]): number {
  const width = widthAt(text, at);
  const code = text.charCodeAt(at);
  if (unit === "characters") return width;
  if (unit === "bytes") {
    if (width === 2) return 4;
    if (code < 0x80) return 1;
    return code < 0x800 ? 2 : 3;
  }
  if (SHORT_ESCAPES.includes(text.charAt(at))) return 2;
  const isLone = width === 1 && code >= 0xd800 && code < 0xe000;
  return code < 0x20 || isLone ? 6 : width;
}

/** The marks before a fence: of lists and quotations. */
const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)$/;
const INDENTED = /^(?: {4}|\t| {1,3}\t)/;

/** The lines of Markdown that begin a block: not those inside a fenced one, nor those that continue an indented one. */
function blockStarts(text: string): readonly number[] {
  const starts: number[] = [];
  /** How many of the last ones are blank lines. */
  let blank = 0;
  let isIndented = false;
  let fence: string | undefined;
  for (let at = 0, end: number; at < text.length; at = end) {
    end = text.indexOf("\n", at) + 1 || text.length;
    const line = text.slice(at, end).trimEnd();
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (line === "") {
      starts.push(at);
      blank++;
      continue;
    }
    const wasIndented = isIndented;
    isIndented = INDENTED.test(line);
    // One block, with the blank lines in between.
    if (wasIndented && isIndented) starts.length -= blank;
    else starts.push(at);
    blank = 0;
    fence = openedBy(line);
  }
  return starts;
}

function openedBy(line: string): string | undefined {
  const [, fence, info = ""] = FENCE.exec(line) ?? [];
  // Backticks after backticks are a code span.
  return fence?.startsWith("`") === true && info.includes("`") ? undefined : fence;
}

function closes(line: string, open: string): boolean {
  const [, fence = "", rest] = FENCE.exec(line) ?? [];
  return rest === "" && fence.startsWith(open);
}
