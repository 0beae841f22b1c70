import { findTerm, type TermTable } from "../index/term-table.ts";

/** How many numbers a vector has. */
export const DIMENSIONS = 128;

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
