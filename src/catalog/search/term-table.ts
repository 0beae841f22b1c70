/** Terms in code unit order, as one string: a tenth of the memory of a Map, and a search needs few look-ups. */
export interface TermTable {
  readonly text: string;
  /** Term `t` is the text from `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
  /** By term: which letters it holds, one bit each. */
  readonly letters: Uint32Array;
  readonly size: number;
}

/** `sorted` holds every term once, in code unit order. */
export function termTableOf(sorted: readonly string[]): TermTable {
  const starts = new Uint32Array(sorted.length + 1);
  let length = 0;
  for (const [index, term] of sorted.entries()) {
    starts[index] = length;
    length += term.length;
  }
  starts[sorted.length] = length;
  return termTable(sorted.join(""), starts);
}

/** From what a snapshot holds. */
export function termTable(text: string, starts: Uint32Array): TermTable {
  const size = Math.max(starts.length - 1, 0);
  const letters = new Uint32Array(size);
  for (let term = 0; term < size; term++)
    letters[term] = lettersOf(text, starts[term] ?? 0, starts[term + 1] ?? 0);
  return { text, starts, letters, size };
}

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
export function lowerBound(values: Uint32Array, wanted: number, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
