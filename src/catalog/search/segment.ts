import { lowerBound, type TermTable } from "./term-table.ts";

/**
 * A set of documents, indexed once and never changed. Plain arrays of numbers: small, quick to read in order, and
 * written to disk as they are.
 */
export interface Segment {
  /** By document number. */
  readonly ids: readonly string[];
  /** By field, then by document number: how many terms the field holds. */
  readonly lengths: readonly Uint16Array[];
  readonly terms: TermTable;
  /** The postings of term `t` are `postingStarts[t]` up to `postingStarts[t + 1]`, by rising document number. */
  readonly postingStarts: Uint32Array;
  readonly postingDocs: Uint32Array;
  /** Packed as `fields.ts` says. */
  readonly postingCounts: Uint16Array;
  /**
   * Filters of the pairs of terms that stand together: that above the body of document `d` begins at
   * `pairStarts[2 * d]`, that of its body at `pairStarts[2 * d + 1]`.
   */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint8Array;
}

/** A segment, less the documents that were removed since. */
export interface SegmentView {
  readonly segment: Segment;
  /** 1 for a removed document; null while there is none. */
  readonly dead: Uint8Array | null;
  readonly deadCount: number;
}

export interface PostingRange {
  readonly start: number;
  readonly end: number;
}

/** Where the postings of a term number lie. */
export function postingsAt(segment: Segment, term: number): PostingRange {
  return { start: segment.postingStarts[term] ?? 0, end: segment.postingStarts[term + 1] ?? 0 };
}

/** In how many living documents a term occurs: exact, so that an edited index ranks like a fresh one. */
export function liveCount({ segment, dead, deadCount }: SegmentView, { start, end }: PostingRange): number {
  const all = end - start;
  if (dead === null || deadCount === 0) return all;
  const docs = segment.postingDocs;
  let gone = 0;
  if (deadCount * 16 < all) {
    // Few removed and a long list: look each one up rather than read the list.
    for (let doc = dead.indexOf(1); doc !== -1; doc = dead.indexOf(1, doc + 1)) {
      const at = lowerBound(docs, doc, start, end);
      if (at < end && docs[at] === doc) gone++;
    }
  } else {
    for (let at = start; at < end; at++) gone += dead[docs[at] ?? 0] ?? 0;
  }
  return all - gone;
}
