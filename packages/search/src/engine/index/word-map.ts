import { withRoomFor } from "./number-list.ts";

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
