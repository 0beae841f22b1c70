import type { SearchIndex } from "../index/search-index.ts";
import type { PostingRange, Segment } from "../index/segment.ts";
import { lowerBound } from "../index/term-table.ts";
import type { Candidate } from "./best-documents.ts";
import type { QueryTerm } from "./resolve-terms.ts";

/** How often each candidate holds each term, packed as `fields.ts` says: term `t` of candidate `c` at `c * terms + t`. */
export function heldCounts(
  index: SearchIndex,
  terms: readonly QueryTerm[],
  candidates: readonly Candidate[],
): Uint16Array {
  const counts = new Uint16Array(candidates.length * terms.length);
  for (const [view, { segment }] of index.views.entries()) {
    const inView = [...candidates.keys()]
      .filter((candidate) => candidates[candidate]?.view === view)
      .sort((a, b) => (candidates[a]?.doc ?? 0) - (candidates[b]?.doc ?? 0));
    const docs = Uint32Array.from(inView, (candidate) => candidates[candidate]?.doc ?? 0);
    const rows = Uint32Array.from(inView, (candidate) => candidate * terms.length);
    for (const [term, { ranges }] of terms.entries()) {
      const range = ranges[view];
      if (range !== null && range !== undefined) readCounts(segment, range, docs, rows, term, counts);
    }
  }
  return counts;
}

/** Documents and postings both rise, so each is looked for from where the one before was, in widening steps. */
function readCounts(
  { postingDocs, postingCounts }: Segment,
  { start, end }: PostingRange,
  docs: Uint32Array,
  rows: Uint32Array,
  term: number,
  counts: Uint16Array,
): void {
  let at = start;
  for (let index = 0; index < docs.length; index++) {
    const doc = docs[index] as number;
    let step = 1;
    while (at + step < end && (postingDocs[at + step] as number) < doc) {
      at += step;
      step *= 2;
    }
    at = lowerBound(postingDocs, doc, at, Math.min(at + step + 1, end));
    if (at === end) return;
    if (postingDocs[at] === doc) counts[(rows[index] as number) + term] = postingCounts[at] as number;
  }
}
