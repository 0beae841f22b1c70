/** The line ending of a text: that of its first line. */
export function lineEnding(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** One step of indentation, as the first indented line has it. */
export function indentUnit(text: string): string {
  const [, indent = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  return indent.startsWith("\t") ? "\t" : indent.slice(0, 8);
}

/** The blanks at the start of the line that contains an offset. */
export function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

export interface Line {
  readonly text: string;
  /** Where the line starts, and where it ends without and with its line ending. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: ending, index: end } of text.matchAll(/\r?\n/g)) {
    lines.push({ text: text.slice(start, end), start, end, next: end + ending.length });
    start = end + ending.length;
  }
  if (start < text.length)
    lines.push({ text: text.slice(start), start, end: text.length, next: text.length });
  return lines;
}
