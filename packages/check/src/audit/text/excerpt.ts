import { escapeInvisibleCharacters } from "#util/pure";

const LONGEST = 120;

/** A text on one short line, with every character visible. */
export function excerptOf(text: string): string {
  const line = text
    .trim()
    .slice(0, LONGEST * 4)
    .replace(/\s{1,400}/g, " ");
  const visible = escapeInvisibleCharacters(line);
  return visible.length <= LONGEST ? visible : `${visible.slice(0, LONGEST - 1)}…`;
}
