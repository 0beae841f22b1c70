import { editDistance } from "../edit-distance.ts";
import type { SearchIndex } from "./search-index.ts";
import { liveCount, postingsAt } from "./segment.ts";
import { type TermTable, termAt } from "./term-table.ts";

/**
 * The known term that an unknown one was most likely meant to be, or null: nearest first, then the most frequent,
 * then by spelling. A longer word may hold two mistakes; the first letter is rarely one of them.
 */
export function correctTerm(index: SearchIndex, unknown: string): string | null {
  if (!/^[a-z]{4,24}$/.test(unknown)) return null;
  const limit = unknown.length >= 8 ? 2 : 1;
  const letters = letterMask(unknown, 0, unknown.length);
  const found = new Map<string, { readonly distance: number; count: number }>();
  for (const view of index.views) {
    const { terms } = view.segment;
    for (const number of similarTerms(terms, unknown, letters, limit)) {
      const term = termAt(terms, number);
      const distance = found.get(term)?.distance ?? editDistance(unknown, term, limit);
      if (distance > limit || (distance > 1 && term[0] !== unknown[0])) continue;
      const count = liveCount(view, postingsAt(view.segment, number));
      if (count > 0) found.set(term, { distance, count: count + (found.get(term)?.count ?? 0) });
    }
  }
  const [best] = [...found].sort(
    ([a, left], [b, right]) => left.distance - right.distance || right.count - left.count || (a < b ? -1 : 1),
  );
  return best?.[0] ?? null;
}

/** Terms whose letters differ by at most what `limit` edits can change: a cheap test that spares the exact one. */
function similarTerms(table: TermTable, unknown: string, letters: number, limit: number): readonly number[] {
  const { text, starts, size } = table;
  const similar: number[] = [];
  for (let number = 0; number < size; number++) {
    const start = starts[number] ?? 0;
    const end = starts[number + 1] ?? 0;
    if (Math.abs(end - start - unknown.length) > limit) continue;
    if (limit > 1 && text.charCodeAt(start) !== unknown.charCodeAt(0)) continue;
    if (bitCount(letters ^ letterMask(text, start, end)) <= 2 * limit) similar.push(number);
  }
  return similar;
}

/** Which letters occur; characters other than a–z share the bits above. */
function letterMask(text: string, start: number, end: number): number {
  let mask = 0;
  for (let at = start; at < end; at++) mask |= 1 << Math.min(Math.abs(text.charCodeAt(at) - 97), 31);
  return mask;
}

function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; left &= left - 1) count++;
  return count;
}
