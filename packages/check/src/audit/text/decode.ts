/** A piece of text that was encoded, and what it says. */
export interface Decoded {
  readonly line: number;
  readonly text: string;
}

const SHORTEST = 24;
const LONGEST = 8_000;
const HEX = /^(?:[0-9a-fA-F]{2}){16,4000}$/;
const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;
/** A file with more of them is data. */
const MOST = 60;

/** What the encoded pieces of a text say, where that is plain text. */
export function decodePieces(text: string): readonly Decoded[] {
  const found: Decoded[] = [];
  const add = (index: number, decoded: string | undefined): void => {
    if (decoded === undefined || decoded.length < 12 || !PRINTABLE.test(decoded)) return;
    found.push({ line: lineAt(text, index), text: decoded });
  };
  let tried = 0;
  for (const { piece, index } of longRuns(text)) {
    const isHex = HEX.test(piece);
    // A long word or a path.
    if (!isHex && (!/[A-Z]/.test(piece) || !/[a-z]/.test(piece))) continue;
    if (++tried > MOST) break;
    add(index, isHex ? fromHex(piece) : fromBase64(piece));
  }
  return found;
}

/**
 * Runs of the characters of base64, which are those of hexadecimal too. Most words are far too short, so only every 24th
 * character is read until one may be in the middle of a run. A pattern takes much longer.
 */
function* longRuns(text: string): Generator<{ readonly piece: string; readonly index: number }> {
  let start = 0;
  while (start + SHORTEST <= text.length) {
    let before = start + SHORTEST - 1;
    while (before >= start && isOfBase64(text.charCodeAt(before))) before--;
    if (before >= start) {
      start = before + 1;
      continue;
    }
    let end = start + SHORTEST;
    while (end < text.length && isOfBase64(text.charCodeAt(end))) end++;
    yield { piece: text.slice(start, Math.min(end, start + LONGEST)), index: start };
    start = end + 1;
  }
}

/** Letters, digits, `+` and `/`. */
function isOfBase64(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2f && code <= 0x39) ||
    code === 0x2b
  );
}

function fromBase64(piece: string): string | undefined {
  if (piece.length % 4 === 1) return undefined;
  try {
    const decoded = atob(piece);
    // Text for PowerShell has two bytes for each character.
    return /^(?:[\x20-\x7e\t\r\n]\0){6}/.test(decoded) ? decoded.replaceAll("\0", "") : decoded;
  } catch {
    return undefined;
  }
}

function fromHex(piece: string): string {
  let text = "";
  for (let at = 0; at < piece.length; at += 2)
    text += String.fromCharCode(Number.parseInt(piece.slice(at, at + 2), 16));
  return text;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
