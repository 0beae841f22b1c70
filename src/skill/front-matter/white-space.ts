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
