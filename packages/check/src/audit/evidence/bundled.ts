/** Code that was made by a tool from somebody else's source: nobody reads it, and patterns match it by accident. */

const CODE = /\.(?:js|mjs|cjs|css)$/i;
const NAMED =
  /(?:[.-]min\.(?:js|mjs|cjs|css)$)|(?:^|\/)(?:vendor|third[_-]party)\/[^\n]{1,300}\.(?:js|mjs|cjs|css)$/i;
const LICENCE = /^\s{0,20}(?:\/\*[!*]?|\/\/)[\s\S]{0,600}\b(?:licen[cs]e|copyright|\(c\))/i;
/** People break lines. */
const LONG_LINES = 400;
const LEAST = 5_000;

export function isBundled(path: string, text: string): boolean {
  if (!CODE.test(path)) return false;
  const isDense = text.length >= LEAST && text.length / (countLines(text) + 1) > LONG_LINES;
  if (isDense) return true;
  return (
    NAMED.test(path) && (LICENCE.test(text.slice(0, 1_000)) || text.length / (countLines(text) + 1) > 120)
  );
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
