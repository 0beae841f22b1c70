/** Text cut to at most `max` UTF-16 units, ending in `…`, at a word where one is near, never inside a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return "…".slice(0, max);
  let end = max - 1;
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
  const space = text.lastIndexOf(" ", end);
  if (space > end * 0.6) end = space;
  return `${text.slice(0, end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A text from a file, without anything that would end its line or move a cursor. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
