/** Trimmed, with every run of white space (line breaks included) as one space. */
export function collapseWhiteSpace(text: string): string {
  return NEEDS_COLLAPSING.test(text) ? text.trim().replaceAll(/\s+/g, " ") : text;
}

/** How many spaces and tabs a line begins with. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " " || line[indent] === "\t") indent++;
  return indent;
}

const NEEDS_COLLAPSING = /^\s|\s$|\s\s|[^\S ]/;
