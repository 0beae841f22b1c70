import { termsOfWord } from "../words/analyse.ts";
import { append, type NumberList, numberList, withRoomFor } from "./segment.ts";

/** The terms of one text, by their numbers. */
export interface TextTerms {
  /** Every term: of a word that is split, the parts and the whole. */
  readonly mentioned: NumberList;
  /** One after the other, as pairs are made of them: of a word that is split, the whole. */
  readonly sequence: NumberList;
  /** How many terms the text has: of a word that is split, the parts. */
  length: number;
}

/** The terms of a word that has several or is split. */
interface SplitWord {
  readonly parts: readonly number[];
  /** The joined term of a word that has one, else its parts. */
  readonly whole: readonly number[];
}

/** Instead of the number of a term: a word that has none; a split word is this, less 1 and its number. */
const NO_TERM = -1;

/** Reads one text at a time: what the last call returned is overwritten. Each distinct word is analysed once: words repeat. */
export function createTermReader(termNumber: (term: string) => number): (text: string) => TextTerms {
  const characters = noCharacters();
  const terms: TextTerms = { mentioned: numberList(), sequence: numberList(), length: 0 };
  const splitWords: SplitWord[] = [];
  /** By word: the number of its only term, `NO_TERM`, or a lower number that stands for a split word. */
  const words = createWordMap((codes, from, to) => {
    // A copy, because a slice would keep the whole text in memory.
    const { parts, joined } = termsOfWord(String.fromCharCode(...codes.subarray(from, to)));
    if (joined === null && parts.length < 2) return parts[0] === undefined ? NO_TERM : termNumber(parts[0]);
    const numbers = parts.map(termNumber);
    splitWords.push({ parts: numbers, whole: joined === null ? numbers : [termNumber(joined)] });
    return NO_TERM - splitWords.length;
  });

  return (text) => {
    const { mentioned, sequence } = terms;
    mentioned.length = 0;
    sequence.length = 0;
    terms.length = 0;
    readText(characters, text);
    for (let start = wordStart(characters, 0); start < text.length; ) {
      const end = wordEnd(characters, start);
      const term = words.get(characters.codes, start, end);
      start = wordStart(characters, end);
      if (term >= 0) {
        append(mentioned, term);
        append(sequence, term);
        terms.length++;
      } else if (term < NO_TERM) {
        addSplitWord(terms, splitWords[NO_TERM - 1 - term] as SplitWord);
      }
    }
    return terms;
  };
}

function addSplitWord(terms: TextTerms, { parts, whole }: SplitWord): void {
  for (const term of parts) append(terms.mentioned, term);
  if (whole !== parts) for (const term of whole) append(terms.mentioned, term);
  for (const term of whole) append(terms.sequence, term);
  terms.length += parts.length;
}

/** A number for each of the different words of texts. Nearly every word of a text is known already: it is found by its characters. */
export interface WordMap {
  /** The number of the word from `from` to `to`. */
  get(codes: Uint16Array, from: number, to: number): number;
}

/** An entry is what is compared with a word, side by side: its hash, where its characters begin, how many they are, its number. */
const ENTRY = 4;
const [HASH, START, LENGTH, NUMBER] = [0, 1, 2, 3];
const FIRST_ENTRIES = 1024;

/** `numberOf` is asked once for each different word. */
export function createWordMap(numberOf: (codes: Uint16Array, from: number, to: number) => number): WordMap {
  /** By the lowest bits of a hash; the next free place if another word is there. Free is what has no length. */
  let entries = new Int32Array(ENTRY * FIRST_ENTRIES);
  let count = 0;
  let characters = new Uint16Array(8192);
  let used = 0;

  const add = (at: number, codes: Uint16Array, from: number, to: number, hash: number): number => {
    const number = numberOf(codes, from, to);
    const length = to - from;
    characters = withRoomFor(characters, used + length);
    characters.set(codes.subarray(from, to), used);
    entries[at + HASH] = hash;
    entries[at + START] = used;
    entries[at + LENGTH] = length;
    entries[at + NUMBER] = number;
    used += length;
    if (2 * ENTRY * ++count > entries.length) entries = twiceAsMany(entries);
    return number;
  };

  return {
    get(codes, from, to) {
      const hash = hashOf(codes, from, to);
      const mask = entries.length - 1;
      for (let at = (ENTRY * hash) & mask; ; at = (at + ENTRY) & mask) {
        if (entries[at + LENGTH] === 0) return add(at, codes, from, to, hash);
        if (entries[at + HASH] !== hash || entries[at + LENGTH] !== to - from) continue;
        if (isSame(characters, entries[at + START] as number, codes, from, to)) {
          return entries[at + NUMBER] as number;
        }
      }
    },
  };
}

function twiceAsMany(entries: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * entries.length);
  const mask = larger.length - 1;
  for (let from = 0; from < entries.length; from += ENTRY) {
    if (entries[from + LENGTH] === 0) continue;
    let at = (ENTRY * (entries[from + HASH] as number)) & mask;
    while (larger[at + LENGTH] !== 0) at = (at + ENTRY) & mask;
    larger.set(entries.subarray(from, from + ENTRY), at);
  }
  return larger;
}

function hashOf(codes: Uint16Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (codes[at] as number)) | 0;
  // The lowest bits choose the place: those of a sum alone are those of the last characters.
  hash = Math.imul(hash, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function isSame(
  characters: Uint16Array,
  start: number,
  codes: Uint16Array,
  from: number,
  to: number,
): boolean {
  for (let at = from; at < to; at++) if (characters[start + at - from] !== codes[at]) return false;
  return true;
}

/** A text by code units, to find words in: they are read several times, and faster from here than from a string. */
export interface Characters {
  /** The character codes of the text, and some zeros behind them. */
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
  const isSharp = next === SHARP && (isLetter(first, C) || isLetter(first, F));
  if (isSharp && kindAt(codes, start + 2) !== LETTER) return start + 2;
  let end = start + 1;
  while (kindAt(codes, end) !== OUTSIDE) end++;
  return isDotJs(codes, end) ? end + ".js".length : end;
}

const [DOT, PLUS, SHARP, UNDERSCORE] = [0x2e, 0x2b, 0x23, 0x5f];
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
