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
