import { readPlainScalar } from "./plain-scalar.ts";

/** Where name and description lie in the bytes of a file. */
export interface PlainHead {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly descriptionStart: number;
  readonly descriptionEnd: number;
  /** Both consist of ASCII alone. */
  readonly isAscii: boolean;
}

/**
 * Finds name and description in the front matter most skills have, without making anything else of it: a first look at ten
 * thousand files has no use for the rest. Answers only where `parseSkill` would say the same without a warning, and
 * `undefined` for everything else; a property test holds the two together. The bytes are valid UTF-8.
 */
export function findPlainHead(bytes: Uint8Array, length: number): PlainHead | undefined {
  if (!isMark(bytes, 0) || bytes[3] !== LF) return undefined;
  const keys: number[] = [];
  let name: Value = NOTHING;
  let description: Value = NOTHING;
  /** What the lines below a key without a value are, once there is one. */
  let children: "none" | "any" | "items" | "entries" = "none";
  let childIndent = 0;
  let firstChildKey = 0;
  for (let start = 4, end = 0; start < length; start = end + 1) {
    end = endOfLine(bytes, start, length);
    if (end === -1) return undefined;
    const from = skipSpaces(bytes, start, end);
    if (from === end || bytes[from] === HASH) continue;
    if (bytes[from] === DASH) {
      if (isMark(bytes, start) && end === start + 3) return headOf(bytes, name, description);
      if (bytes[from + 1] !== SPACE) return undefined;
    }
    const indent = from - start;
    const isItem = bytes[from] === DASH;
    if (isItem || indent > 0) {
      const kind = isItem ? "items" : "entries";
      if (children === "any") {
        children = kind;
        childIndent = indent;
        firstChildKey = keys.length;
      }
      if (children !== kind || childIndent !== indent) return undefined;
    }
    if (isItem) {
      const { kind } = readValue(bytes, from + 1, end);
      if (kind === "uncertain" || kind === "empty") return undefined;
      continue;
    }
    const keyEnd = endOfKey(bytes, from, end);
    // A key of the last level is compared with those of its own map alone.
    if (indent === 0 && children === "entries") keys.length = firstChildKey;
    if (keyEnd === -1 || isKnown(bytes, from, keyEnd, keys, indent === 0 ? 0 : firstChildKey)) return undefined;
    keys.push(from, keyEnd);
    const value = readValue(bytes, keyEnd + 1, end);
    if (value.kind === "uncertain") return undefined;
    if (indent > 0) {
      if (value.kind === "empty") return undefined;
      continue;
    }
    children = value.kind === "empty" ? "any" : "none";
    if (isWord(bytes, from, keyEnd, NAME)) name = value;
    else if (isWord(bytes, from, keyEnd, DESCRIPTION)) description = value;
  }
  return undefined;
}

interface Value {
  /** `other`: a number, a truth value or a word whose type is not text. */
  readonly kind: "text" | "other" | "empty" | "uncertain";
  readonly start: number;
  readonly end: number;
}

const NOTHING: Value = { kind: "empty", start: 0, end: 0 };
const OTHER: Value = { kind: "other", start: 0, end: 0 };
const UNCERTAIN: Value = { kind: "uncertain", start: 0, end: 0 };

function headOf(bytes: Uint8Array, name: Value, description: Value): PlainHead | undefined {
  if (!isTidyText(bytes, name) || !isTidyText(bytes, description)) return undefined;
  return {
    nameStart: name.start,
    nameEnd: name.end,
    descriptionStart: description.start,
    descriptionEnd: description.end,
    isAscii: isAscii(bytes, name) && isAscii(bytes, description),
  };
}

/** Text that is shown as it is written: no space at either end, and none doubled. */
function isTidyText(bytes: Uint8Array, { kind, start, end }: Value): boolean {
  if (kind !== "text" || start === end || bytes[start] === SPACE || bytes[end - 1] === SPACE) return false;
  for (let at = start; at < end; at++) if (bytes[at] === SPACE && bytes[at + 1] === SPACE) return false;
  return true;
}

function isAscii(bytes: Uint8Array, { start, end }: Value): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) >= 0x80) return false;
  return true;
}

/** A one-line value, by the rules of `readPlainScalar`. */
function readValue(bytes: Uint8Array, from: number, lineEnd: number): Value {
  const start = skipSpaces(bytes, from, lineEnd);
  let end = lineEnd;
  while (end > start && bytes[end - 1] === SPACE) end--;
  if (start === end) return NOTHING;
  const first = bytes[start] ?? 0;
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    const isClosed = end - start > 1 && isOnlyLast(bytes, start + 1, end - 1, first);
    return isClosed ? { kind: "text", start: start + 1, end: end - 1 } : UNCERTAIN;
  }
  if (isDigit(first)) return readNumber(bytes, start, end);
  if (!isLetter(first) && first < 0x80 && first !== UNDERLINE && !SAFE_SIGNS.includes(first)) return UNCERTAIN;
  if (!isSafeText(bytes, start, end)) return UNCERTAIN;
  return isCoreWord(bytes, start, end) ? OTHER : { kind: "text", start, end };
}

function readNumber(bytes: Uint8Array, start: number, end: number): Value {
  for (let at = start; at < end; at++) {
    if (bytes[at] === SPACE) return isSafeText(bytes, start, end) ? { kind: "text", start, end } : UNCERTAIN;
  }
  const written = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_NUMBER)));
  return readPlainScalar(written) === undefined ? UNCERTAIN : OTHER;
}

/** The closing quote is the only one of its kind, and nothing is escaped. */
function isOnlyLast(bytes: Uint8Array, start: number, last: number, quote: number): boolean {
  for (let at = start; at < last; at++) {
    const byte = bytes[at];
    if (byte === quote || byte === BACKSLASH) return false;
  }
  return bytes[last] === quote;
}

/** Nothing in it begins a comment or a map. */
function isSafeText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === COLON && (at + 1 === end || bytes[at + 1] === SPACE)) return false;
    if (byte === HASH && bytes[at - 1] === SPACE) return false;
  }
  return true;
}

/** Where the colon of a key is; -1 for what may not be a key, or one that YAML gives a meaning of its own. */
function endOfKey(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const isInner = isDigit(byte) || byte === DASH;
    if (!isLetter(byte) && byte !== UNDERLINE && !(isInner && at > start)) break;
  }
  const isKey = at > start && at - start <= LONGEST_KEY && bytes[at] === COLON;
  if (!isKey || (at + 1 < end && bytes[at + 1] !== SPACE)) return -1;
  return isCoreWord(bytes, start, at) || DANGEROUS.some((word) => isWord(bytes, start, at, word)) ? -1 : at;
}

function isKnown(
  bytes: Uint8Array,
  start: number,
  end: number,
  keys: readonly number[],
  from: number,
): boolean {
  for (let index = from; index < keys.length; index += 2) {
    const other = keys[index] ?? 0;
    if ((keys[index + 1] ?? 0) - other !== end - start) continue;
    let same = 0;
    while (start + same < end && bytes[start + same] === bytes[other + same]) same++;
    if (start + same === end) return true;
  }
  return false;
}

/** Where the line break is; -1 when there is none, or a character before it for which YAML or we have rules. */
function endOfLine(bytes: Uint8Array, start: number, length: number): number {
  for (let at = start; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === LF) return at;
    if (byte < SPACE || byte === DELETE || (byte >= 0xc2 && isUncertainCharacter(bytes, at))) return -1;
  }
  return -1;
}

/** A control character, white space, a byte order mark or no character at all; some others are taken for one. */
function isUncertainCharacter(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  switch (bytes[at]) {
    case 0xc2:
    case 0xe1:
      return true;
    case 0xe2:
      return second === 0x80 ? third <= 0x8a || third >= 0xa8 : second === 0x81;
    case 0xe3:
      return second === 0x80 && third === 0x80;
    case 0xef:
      return second === 0xbb || second === 0xbf;
    default:
      return false;
  }
}

function isMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === DASH && bytes[at + 1] === DASH && bytes[at + 2] === DASH;
}

function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  return at;
}

function isCoreWord(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start <= 5 && end - start >= 4 && CORE_WORDS.some((word) => isWord(bytes, start, end, word));
}

function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false;
  return true;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function bytesOf(word: string): Uint8Array {
  return Uint8Array.from(word, (character) => character.charCodeAt(0));
}

const LF = 0x0a;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const DASH = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERLINE = 0x5f;
const DELETE = 0x7f;
/** What plain text may begin with besides letters: `(`, `/` and `$`. */
const SAFE_SIGNS: readonly number[] = [0x28, 0x2f, 0x24];
const LONGEST_KEY = 64;
/** No number or date that is certain is longer. */
const LONGEST_NUMBER = 40;
const NAME = bytesOf("name");
const DESCRIPTION = bytesOf("description");
const DANGEROUS = ["__proto__", "constructor", "prototype"].map(bytesOf);
const CORE_WORDS = ["true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL"].map(bytesOf);
