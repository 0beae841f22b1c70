import { DIMENSIONS, findTerm, type TermTable } from "../index/segment.ts";
import { eachSlice, type Steps } from "../steps.ts";

const BYTES_PER_ROW = DIMENSIONS / 2;
const BYTES_PER_SCALE = 4;

/** What words mean: a row of numbers for each of some ten thousand English stems, near each other where words are used alike. */
export interface WordTable {
  /** Changes with the content: vectors of different tables cannot be compared. */
  readonly version: string;
  readonly words: TermTable;
  /** By row: a whole number, which all of its numbers are multiplied by. */
  readonly scales: Int32Array;
  /** Two numbers from 0 to 15 in each byte, the first in the low bits; 8 stands for 0. */
  readonly rows: Uint8Array;
}

/** Scales are multiplied by this and rounded: sums of whole numbers are the same on every machine. */
const SCALE_UNIT = 2 ** 16;

/** Reads the two files of a table; undefined for anything else: words in code unit order, and scales and rows in the same order. */
export function parseWordTable(version: string, text: string, bytes: Uint8Array): WordTable | undefined {
  const starts: number[] = [0];
  const words = text.endsWith("\n") ? text.slice(0, -1) : text;
  for (let at = words.indexOf("\n"); at !== -1; at = words.indexOf("\n", at + 1)) starts.push(at + 1);
  const count = starts.length;
  if (bytes.byteLength !== count * (BYTES_PER_ROW + BYTES_PER_SCALE)) return undefined;
  starts.push(words.length + 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scales = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    scales[row] = Math.round(view.getFloat32(row * BYTES_PER_SCALE, true) * SCALE_UNIT);
  }
  return {
    version,
    words: { text: `${words}\n`, starts: Uint32Array.from(starts) },
    scales,
    rows: bytes.subarray(count * BYTES_PER_SCALE),
  };
}

/** The row of a term, or -1. Each term of the table ends in a line break. */
export function rowOf({ words }: WordTable, term: string): number {
  return findTerm(words, `${term}\n`);
}

/** A vector has this length, up to rounding: few of its numbers are then too large for eight bits. */
const LENGTH = 400;
const LARGEST = 127;
/** The similarity of two vectors of the same direction. */
export const SAME = LENGTH * LENGTH;

/** The square roots of counts as whole numbers. */
const COUNT_UNIT = 64;

/** Adds up the rows of words. Every sum is a whole number far below 2^53, so the order of words does not matter. */
interface Embedder {
  /** The row of a term, for `add`; -1 when the table does not have it. */
  rowOf(term: string): number;
  /** A repeated word counts the square root of its count; a part of a mention may be less than one. */
  add(row: number, count: number): void;
  /** Writes the vector of all that was added since the last call to `vectors` at `start`: zeros, if nothing was. */
  take(vectors: Int8Array, start: number): void;
}

/** Two numbers of a row are added up at once, as the low and the high part of one: each is below this. */
const PART = 2 ** 26;
/** So much weight can be added to a part until it must be carried over to the sums. */
const MOST_WEIGHT = Math.floor((PART - 1) / 15);

export function createEmbedder(table: WordTable): Embedder {
  const { scales, rows } = table;
  const sums = new Float64Array(DIMENSIONS);
  const parts = new Float64Array(DIMENSIONS / 2);
  const partsOfByte = new Float64Array(256);
  for (let byte = 0; byte < 256; byte++) partsOfByte[byte] = (byte & 15) + (byte >>> 4) * PART;
  let weights = 0;
  let uncarried = 0;

  const addWeight = (row: number, weight: number): void => {
    if (uncarried + weight > MOST_WEIGHT) {
      carry(parts, sums);
      uncarried = 0;
    }
    weights += weight;
    uncarried += weight;
    addRow(parts, rows, row * (DIMENSIONS / 2), weight, partsOfByte);
  };
  return {
    rowOf: (term) => rowOf(table, term),
    add(row, count) {
      let weight = Math.round(COUNT_UNIT * Math.sqrt(count)) * (scales[row] as number);
      for (; weight > MOST_WEIGHT; weight -= MOST_WEIGHT) addWeight(row, MOST_WEIGHT);
      addWeight(row, weight);
    },
    take(vectors, start) {
      carry(parts, sums);
      uncarried = 0;
      let squares = 0;
      for (let at = 0; at < DIMENSIONS; at++) {
        // 8 stands for 0.
        const value = (sums[at] as number) - 8 * weights;
        sums[at] = value;
        squares += value * value;
      }
      const factor = squares === 0 ? 0 : LENGTH / Math.sqrt(squares);
      for (let at = 0; at < DIMENSIONS; at++) {
        const value = Math.round((sums[at] as number) * factor);
        vectors[start + at] = value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value;
      }
      sums.fill(0);
      weights = 0;
    },
  };
}

export function vectorOf(embedder: Embedder): Int8Array {
  const vector = new Int8Array(DIMENSIONS);
  embedder.take(vector, 0);
  return vector;
}

/** The inner loop of indexing: functions of their arguments alone are compiled to plain reads. */
function addRow(
  parts: Float64Array,
  rows: Uint8Array,
  from: number,
  weight: number,
  partsOfByte: Float64Array,
): void {
  for (let at = 0; at < DIMENSIONS / 2; at += 2) {
    const first = partsOfByte[rows[from + at] as number] as number;
    const second = partsOfByte[rows[from + at + 1] as number] as number;
    parts[at] = (parts[at] as number) + weight * first;
    parts[at + 1] = (parts[at + 1] as number) + weight * second;
  }
}

function carry(parts: Float64Array, sums: Float64Array): void {
  for (let at = 0; at < parts.length; at++) {
    const both = parts[at] as number;
    const high = Math.floor(both / PART);
    sums[2 * at] = (sums[2 * at] as number) + both - high * PART;
    sums[2 * at + 1] = (sums[2 * at + 1] as number) + high;
    parts[at] = 0;
  }
}

/** How alike two texts are: 1 for the same words, about 0 for texts that have nothing to do with each other. */
export function similarityAt(vectors: Int8Array, start: number, wanted: Int8Array): number {
  let sum = 0;
  // Four at a time, and as whole numbers of 32 bits, takes less than half as long.
  for (let at = 0, from = start; at < DIMENSIONS; at += 4, from += 4) {
    sum =
      (sum +
        Math.imul(vectors[from] as number, wanted[at] as number) +
        Math.imul(vectors[from + 1] as number, wanted[at + 1] as number) +
        Math.imul(vectors[from + 2] as number, wanted[at + 2] as number) +
        Math.imul(vectors[from + 3] as number, wanted[at + 3] as number)) |
      0;
  }
  return sum / SAME;
}

/** How many numbers of 32 bits the signs of a vector take. */
const SIGN_WORDS = DIMENSIONS / 32;

/** One bit for each number: 1 where it is negative. */
export function* signsOf(vectors: Int8Array): Steps<Uint32Array> {
  const signs = new Uint32Array(vectors.length / 32);
  yield* eachSlice(vectors.length, (from, to) => {
    for (let at = from; at < to; at++) {
      if ((vectors[at] as number) < 0) signs[at >>> 5] = (signs[at >>> 5] as number) | (1 << (at & 31));
    }
  });
  return signs;
}

/** By document: how many signs are those of the wanted vector, which rises with similarity. */
export function equalSigns(signs: Uint32Array, wanted: Uint32Array): Uint8Array {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = wanted;
  const equal = new Uint8Array(signs.length / SIGN_WORDS);
  for (let doc = 0, at = 0; doc < equal.length; doc++, at += SIGN_WORDS) {
    equal[doc] =
      DIMENSIONS -
      bitCount((signs[at] as number) ^ w0) -
      bitCount((signs[at + 1] as number) ^ w1) -
      bitCount((signs[at + 2] as number) ^ w2) -
      bitCount((signs[at + 3] as number) ^ w3);
  }
  return equal;
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
