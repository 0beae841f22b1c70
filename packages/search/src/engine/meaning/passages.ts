/** Long enough to be about something, short enough to be about one thing. */
const LENGTH = 900;
/** A line may run a little over, so that few are cut. */
const MOST = 1200;
/** Less is a heading alone. */
export const LEAST = 40;

/**
 * A text in pieces of about 900 characters: a heading begins a new one, lines stay whole, and a very long line is cut
 * between words. Together the pieces are the text.
 */
export function passagesOf(text: string): readonly string[] {
  const passages: string[] = [];
  let start = 0;
  let lineStart = 0;
  const endAt = (end: number): void => {
    if (end > start) passages.push(text.slice(start, end));
    start = end;
  };
  while (lineStart < text.length) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 ? text.length : newline + 1;
    if (isHeading(text, lineStart) || lineEnd - start > LENGTH) endAt(lineStart);
    while (lineEnd - start > MOST) endAt(wordEnd(text, start));
    lineStart = lineEnd;
  }
  endAt(text.length);
  return passages;
}

function isHeading(text: string, at: number): boolean {
  return text.charCodeAt(at) === 35 && /^#{1,6} /.test(text.slice(at, at + 7));
}

/** Where to cut a line that is too long: after the last space, or anywhere if there is none. */
function wordEnd(text: string, start: number): number {
  const space = text.lastIndexOf(" ", start + LENGTH);
  return space > start ? space + 1 : start + LENGTH;
}
