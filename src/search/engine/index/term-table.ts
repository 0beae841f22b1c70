import { eachSlice, MOST_PER_STEP, type Steps } from "../../../catalog/steps.ts";

/** Terms in code unit order, as one string: a tenth of the memory of a Map, and a search needs few look-ups. */
export interface TermTable {
  readonly text: string;
  /** Term `t` is the text from `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
  /** By term: which letters it holds, one bit each. */
  readonly letters: Uint32Array;
  readonly size: number;
}

/** `termOf` gives every term once, in code unit order, and is asked in that order. */
export function* termTableOf(count: number, termOf: (position: number) => string): Steps<TermTable> {
  const starts = new Uint32Array(count + 1);
  const pieces: string[] = [];
  let length = 0;
  yield* eachSlice(count, (from, to) => {
    let piece = "";
    for (let position = from; position < to; position++) {
      const term = termOf(position);
      starts[position] = length;
      length += term.length;
      piece += term;
    }
    pieces.push(piece);
  });
  starts[count] = length;
  return yield* termTable(pieces.join(""), starts);
}

/** From what a snapshot holds. */
export function* termTable(text: string, starts: Uint32Array): Steps<TermTable> {
  const size = Math.max(starts.length - 1, 0);
  const letters = new Uint32Array(size);
  for (let from = 0; from < size; from += TERMS_AT_ONCE) {
    const to = Math.min(from + TERMS_AT_ONCE, size);
    for (let term = from; term < to; term++) {
      letters[term] = lettersOf(text, starts[term] ?? 0, starts[term + 1] ?? 0);
    }
    yield (to - from) * UNITS_PER_TERM;
  }
  return { text, starts, letters, size };
}

/** About as many as a term has letters. */
const UNITS_PER_TERM = 8;
const TERMS_AT_ONCE = MOST_PER_STEP / UNITS_PER_TERM;

/** One bit for each of a–z; other characters share the rest. */
export function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  // The end of a damaged table may lie anywhere.
  const last = Math.min(end, text.length);
  for (let at = start; at < last; at++) letters |= 1 << Math.min(Math.abs(text.charCodeAt(at) - 97), 31);
  return letters;
}

export function termAt(table: TermTable, index: number): string {
  return table.text.slice(table.starts[index], table.starts[index + 1]);
}

/** The number of a term, or -1. */
export function findTerm(table: TermTable, term: string): number {
  const number = firstTermFrom(table, term);
  return number < table.size && compareAt(table, number, term) === 0 ? number : -1;
}

/** The number of the first term that does not come before `term`. */
export function firstTermFrom(table: TermTable, term: string): number {
  let low = 0;
  let high = table.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(table, middle, term) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether each of the terms from `from` up to `to` comes after the one before it. */
export function termsRise(table: TermTable, from: number, to: number): boolean {
  for (let term = from; term < to; term++) {
    const before = term === 0 ? "" : termAt(table, term - 1);
    if (compareAt(table, term, before) <= 0) return false;
  }
  return true;
}

function compareAt({ text, starts }: TermTable, index: number, term: string): number {
  const start = starts[index] ?? 0;
  const length = (starts[index + 1] ?? 0) - start;
  const common = Math.min(length, term.length);
  for (let at = 0; at < common; at++) {
    const difference = text.charCodeAt(start + at) - term.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return length - term.length;
}

/** The first position in `[start, end)` of a rising array that holds at least `wanted`. */
export function lowerBound(
  values: Uint16Array | Uint32Array,
  wanted: number,
  start: number,
  end: number,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
