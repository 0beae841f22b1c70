import { editDistance } from "#util/pure";
import type { SearchIndex } from "../index/search-index.ts";
import { liveCount, postingsAt } from "../index/segment.ts";
import { firstTermFrom, type TermTable, termAt } from "../index/term-table.ts";

/** Short words are one edit from too many others; only plain letters are corrected. */
export function canCorrect(term: string): boolean {
  return /^[a-z]{4,24}$/.test(term);
}

/**
 * The known term that an unknown one was most likely meant to be, or null: nearest first, then the most frequent,
 * then by spelling. A longer word may have two mistakes; the first letter is rarely one of them,
 * and without it every term would be a candidate.
 */
export function correctTerm(index: SearchIndex, unknown: string): string | null {
  const limit = unknown.length >= 8 ? 2 : 1;
  const found = new Map<string, { readonly distance: number; count: number }>();
  for (const view of index.views) {
    const { terms } = view.segment;
    for (const number of similarTerms(terms, unknown, limit)) {
      const term = termAt(terms, number);
      const distance = found.get(term)?.distance ?? editDistance(unknown, term, limit);
      if (distance > limit) continue;
      const count = liveCount(view, postingsAt(view.segment, number));
      if (count > 0) found.set(term, { distance, count: count + (found.get(term)?.count ?? 0) });
    }
  }
  const [best] = [...found].sort(
    ([a, left], [b, right]) => left.distance - right.distance || right.count - left.count || (a < b ? -1 : 1),
  );
  return best?.[0] ?? null;
}

/**
 * Terms of the same first letter whose letters differ by at most what `limit` edits can change: a cheap test before the
 * exact one.
 */
function similarTerms(table: TermTable, unknown: string, limit: number): readonly number[] {
  const { text, starts } = table;
  const wanted = lettersIn(unknown, 0, unknown.length);
  const similar: number[] = [];
  const first = unknown.charCodeAt(0);
  const end = firstTermFrom(table, String.fromCharCode(first + 1));
  for (let number = firstTermFrom(table, String.fromCharCode(first)); number < end; number++) {
    const from = starts[number] ?? 0;
    const to = starts[number + 1] ?? 0;
    if (Math.abs(to - from - unknown.length) > limit) continue;
    if (bitCount(wanted ^ lettersIn(text, from, to)) <= 2 * limit) similar.push(number);
  }
  return similar;
}

/** One bit for each of a–z that the text contains; other characters share the rest. */
function lettersIn(text: string, from: number, to: number): number {
  let letters = 0;
  for (let at = from; at < to; at++) letters |= 1 << Math.min(Math.abs(text.charCodeAt(at) - 97), 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
