/** A text by code units, to find words in: they are read several times, and faster from here than from a string. */
export interface Characters {
  /** Of the text, and some zeros behind it. */
  codes: Uint16Array;
  length: number;
  /** Room for as many bytes. */
  bytes: Uint8Array;
}

const UTF_8 = new TextEncoder();

/** As many as are ever looked at behind the end. */
const ZEROS = 8;

export function noCharacters(): Characters {
  return { codes: new Uint16Array(ZEROS), length: 0, bytes: new Uint8Array(ZEROS) };
}

/** Puts a text in the place of the last one. */
export function readText(into: Characters, text: string): void {
  const { length } = text;
  if (into.codes.length < length + ZEROS) {
    into.codes = new Uint16Array(2 * length + ZEROS);
    into.bytes = new Uint8Array(into.codes.length);
  }
  const { codes, bytes } = into;
  // Most texts are ASCII: their bytes are their code units, and copied in one piece.
  const { read, written } = UTF_8.encodeInto(text, bytes);
  if (read === length && written === length) codes.set(bytes.subarray(0, length));
  else for (let at = 0; at < length; at++) codes[at] = text.charCodeAt(at);
  codes.fill(0, length, length + ZEROS);
  into.length = length;
}

/**
 * Where the next word begins; the length of the text if there is none. Words are those of `wordsOf`, which says what they are;
 * by hand, because an expression makes a string of every word of every skill, which takes longer than all the rest.
 */
export function wordStart({ codes, length }: Characters, from: number): number {
  let at = from;
  while (at < length && kindAt(codes, at) === OUTSIDE && !isDotNet(codes, at)) at++;
  return at;
}

/** Where the word that begins at `start` ends. */
export function wordEnd({ codes }: Characters, start: number): number {
  const first = codes[start] as number;
  if (first === DOT) return start + ".net".length;
  const next = codes[start + 1] as number;
  if (next === PLUS && isLetter(first, C) && codes[start + 2] === PLUS) return start + 3;
  const isSharp = next === HASH && (isLetter(first, C) || isLetter(first, F));
  if (isSharp && kindAt(codes, start + 2) !== LETTER) return start + 2;
  let end = start + 1;
  while (kindAt(codes, end) !== OUTSIDE) end++;
  return isDotJs(codes, end) ? end + ".js".length : end;
}

const [DOT, PLUS, HASH, UNDERSCORE] = [0x2e, 0x2b, 0x23, 0x5f];
const [C, F, J, N, S] = [0x63, 0x66, 0x6a, 0x6e, 0x73];

function isDotNet(codes: Uint16Array, at: number): boolean {
  if (codes[at] !== DOT || !isLetter(codes[at + 1] as number, N)) return false;
  const name = String.fromCharCode(...codes.subarray(at + 1, at + 4));
  return (name === "net" || name === "NET" || name === "Net") && kindAt(codes, at + 4) !== LETTER;
}

function isDotJs(codes: Uint16Array, at: number): boolean {
  if (codes[at] !== DOT || !isLetter(codes[at + 1] as number, J)) return false;
  return isLetter(codes[at + 2] as number, S) && kindAt(codes, at + 3) !== LETTER;
}

/** Whether it is that letter, in either case. */
function isLetter(code: number, lower: number): boolean {
  return (code | 0x20) === lower;
}

const UNKNOWN = 0;
const OUTSIDE = 1;
/** A part of words, but not what `.js` and its like must not be followed by. */
const MARK = 2;
const LETTER = 3;

/** By code unit: what it is to a word, filled in when it is first seen. */
const KINDS = new Uint8Array(0x10000);
for (let code = 0; code < 128; code++) KINDS[code] = kindOfPlain(code);

function kindOfPlain(code: number): number {
  const lower = code | 0x20;
  if ((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)) return LETTER;
  return code === UNDERSCORE ? MARK : OUTSIDE;
}

function kindAt(codes: Uint16Array, at: number): number {
  const kind = KINDS[codes[at] as number] as number;
  return kind === UNKNOWN ? otherKind(codes, at) : kind;
}

function otherKind(codes: Uint16Array, at: number): number {
  const code = codes[at] as number;
  if (code >= 0xd800 && code <= 0xdfff) return kindOf(pairAt(codes, at));
  const kind = kindOf(String.fromCharCode(code));
  KINDS[code] = kind;
  return kind;
}

/** The character that half a pair is a part of; without the other half no character at all. */
function pairAt(codes: Uint16Array, at: number): string {
  const isSecond =
    (codes[at] as number) >= 0xdc00 && at > 0 && ((codes[at - 1] as number) & 0xfc00) === 0xd800;
  const start = isSecond ? at - 1 : at;
  return String.fromCharCode(...codes.subarray(start, start + 2));
}

function kindOf(character: string): number {
  if (/^[\p{L}\p{N}]/u.test(character)) return LETTER;
  return /^\p{M}/u.test(character) ? MARK : OUTSIDE;
}
