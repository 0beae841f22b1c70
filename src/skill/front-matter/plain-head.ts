import { DANGEROUS_KEYS } from "./fields.ts";
import { CORE_WORDS, readPlainScalar } from "./read-plain.ts";

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
 * `undefined` for everything else; a property test holds the two together. The bytes are valid UTF-8. Every byte is looked
 * at once, because such a look is over before V8 has made fast code of this.
 */
export function findPlainHead(bytes: Uint8Array): PlainHead | undefined {
  if (!isMark(bytes, 0) || bytes[3] !== LF) return undefined;
  const keys: number[] = [];
  let name = NOTHING;
  let description = NOTHING;
  /** What the lines below a key without a value are, once there is one. */
  let children: "none" | "any" | "items" | "entries" = "none";
  let childIndent = 0;
  let firstChildKey = 0;
  for (let start = 4, end = 0; start < bytes.length; start = end + 1) {
    const from = skipSpaces(bytes, start);
    const first = bytes[from];
    end = from;
    if (first === LF) continue;
    if (first === HASH) {
      end = readValue(bytes, from).lineEnd;
      if (end === -1) return undefined;
      continue;
    }
    const indent = from - start;
    const isItem = first === DASH;
    if (isItem && bytes[from + 1] !== SPACE) {
      const isClosing = isMark(bytes, start) && bytes[start + 3] === LF;
      return isClosing ? headOf(bytes, name, description) : undefined;
    }
    if (isItem || indent > 0) {
      const kind = isItem ? "items" : "entries";
      if (children === "any") {
        children = kind;
        childIndent = indent;
        firstChildKey = keys.length;
      }
      if (children !== kind || childIndent !== indent) return undefined;
    } else if (children === "entries") {
      // A key of the last level is compared with those of its own map alone.
      keys.length = firstChildKey;
    }
    let keyEnd = from;
    if (!isItem) {
      keyEnd = endOfKey(bytes, from);
      if (keyEnd === -1 || isKnown(bytes, from, keyEnd, keys, indent === 0 ? 0 : firstChildKey))
        return undefined;
      keys.push(from, keyEnd);
    }
    const value = readValue(bytes, skipSpaces(bytes, keyEnd + 1));
    if (value.kind === "uncertain") return undefined;
    end = value.lineEnd;
    if (isItem || indent > 0) {
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
  /** What was noticed on the way. */
  readonly marks: number;
  /** Where the line ends; -1 when it does not, or holds a character for which YAML or we have rules. */
  readonly lineEnd: number;
}

const NOTHING: Value = { kind: "empty", start: 0, end: 0, marks: 0, lineEnd: 0 };
const UNREADABLE: Value = { kind: "uncertain", start: 0, end: 0, marks: 0, lineEnd: -1 };

const NON_ASCII = 1;
const DOUBLED_SPACE = 2;
/** A colon at the end or before a space. */
const MAP = 4;
/** A `#` after a space. */
const COMMENT = 8;
const ESCAPE = 16;

function headOf(bytes: Uint8Array, name: Value, description: Value): PlainHead | undefined {
  if (!isTidyText(bytes, name) || !isTidyText(bytes, description)) return undefined;
  return {
    nameStart: name.start,
    nameEnd: name.end,
    descriptionStart: description.start,
    descriptionEnd: description.end,
    isAscii: ((name.marks | description.marks) & NON_ASCII) === 0,
  };
}

/** Text that is shown as it is written: no space at either end, and none doubled. */
function isTidyText(bytes: Uint8Array, { kind, start, end, marks }: Value): boolean {
  if (kind !== "text" || start === end || (marks & DOUBLED_SPACE) !== 0) return false;
  return bytes[start] !== SPACE && bytes[end - 1] !== SPACE;
}

/** A one-line value, by the rules of `readPlainScalar`, and where its line ends. */
function readValue(bytes: Uint8Array, start: number): Value {
  let marks = 0;
  let lineEnd = start;
  for (let before = 0; ; lineEnd++) {
    const byte = bytes[lineEnd];
    if (byte === LF) break;
    if (byte === undefined || byte < SPACE || byte === DELETE) return UNREADABLE;
    if (byte >= 0x80) {
      marks |= NON_ASCII;
      if (byte >= 0xc2 && isUncertainCharacter(bytes, lineEnd)) return UNREADABLE;
    } else if (byte === SPACE) {
      if (before === SPACE) marks |= DOUBLED_SPACE;
      else if (before === COLON) marks |= MAP;
    } else if (byte === BACKSLASH) marks |= ESCAPE;
    else if (byte === HASH && before === SPACE) marks |= COMMENT;
    before = byte;
  }
  let end = lineEnd;
  while (end > start && bytes[end - 1] === SPACE) end--;
  const kind = start === end ? "empty" : kindOf(bytes, start, end, marks);
  const inner = kind === "text" && isQuote(bytes[start]) ? 1 : 0;
  return { kind, start: start + inner, end: end - inner, marks, lineEnd };
}

function kindOf(bytes: Uint8Array, start: number, end: number, marks: number): Value["kind"] {
  const first = bytes[start] ?? 0;
  if (isQuote(first)) {
    // The closing quote is the only one of its kind, and nothing is escaped.
    return end - start > 1 && (marks & ESCAPE) === 0 && bytes.indexOf(first, start + 1) === end - 1
      ? "text"
      : "uncertain";
  }
  const isNumber = isDigit(first);
  if (!isNumber && !isLetter(first) && first < 0x80 && !SAFE_SIGNS.has(first)) return "uncertain";
  if (isNumber && !isSpaceWithin(bytes, start, end)) return kindOfNumber(bytes, start, end);
  if ((marks & (MAP | COMMENT)) !== 0 || bytes[end - 1] === COLON) return "uncertain";
  return isCoreWord(bytes, start, end) ? "other" : "text";
}

/** No number has a space in it. */
function isSpaceWithin(bytes: Uint8Array, start: number, end: number): boolean {
  const space = bytes.indexOf(SPACE, start);
  return space !== -1 && space < end;
}

function kindOfNumber(bytes: Uint8Array, start: number, end: number): Value["kind"] {
  const written = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_NUMBER)));
  return readPlainScalar(written) === undefined ? "uncertain" : "other";
}

/** Where the colon of a key is; -1 for what may not be a key, or one that YAML gives a meaning of its own. */
function endOfKey(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; ; at++) {
    const byte = bytes[at] ?? 0;
    const isInner = isDigit(byte) || byte === DASH;
    if (!isLetter(byte) && byte !== UNDERLINE && !(isInner && at > start)) break;
  }
  const isKey = at > start && at - start <= LONGEST_KEY && bytes[at] === COLON;
  if (!isKey || (bytes[at + 1] !== SPACE && bytes[at + 1] !== LF)) return -1;
  return isCoreWord(bytes, start, at) || isDangerous(bytes, start, at) ? -1 : at;
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

function skipSpaces(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === SPACE) at++;
  return at;
}

function isQuote(byte: number | undefined): boolean {
  return byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE;
}

function isCoreWord(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 4 && length !== 5) return false;
  // Every skill has a name.
  return !isWord(bytes, start, end, NAME) && WORDS.some((word) => isWord(bytes, start, end, word));
}

function isDangerous(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 9 && length !== 11) return false;
  return DANGEROUS.some((word) => isWord(bytes, start, end, word));
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
/** What plain text may begin with besides letters: `(`, `/`, `$` and `_`. */
const SAFE_SIGNS: ReadonlySet<number> = new Set([0x28, 0x2f, 0x24, UNDERLINE]);
const LONGEST_KEY = 64;
/** No number or date that is certain is longer. */
const LONGEST_NUMBER = 40;
const NAME = bytesOf("name");
const DESCRIPTION = bytesOf("description");
const DANGEROUS = DANGEROUS_KEYS.map(bytesOf);
const WORDS = [...CORE_WORDS.keys()].map(bytesOf);
