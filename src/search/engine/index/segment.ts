import { lowerBound, type TermTable } from "./term-table.ts";

/** 16 bits each where that is enough: postings are most of an index. */
export type DocNumbers = Uint16Array | Uint32Array;

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
  readonly postingDocs: DocNumbers;
  /** Packed as `fields.ts` says. */
  readonly postingCounts: Uint16Array;
  /**
   * Filters of the pairs of terms that stand together: that above the body of document `d` begins at
   * `pairStarts[2 * d]`, that of its body at `pairStarts[2 * d + 1]`.
   */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint8Array;
}

export function fitsIn16Bits(documents: number): boolean {
  return documents <= 0x10000;
}

/** Room for `count` numbers of so many documents. */
export function docNumbers(documents: number, count: number): DocNumbers {
  return fitsIn16Bits(documents) ? new Uint16Array(count) : new Uint32Array(count);
}

export interface PostingRange {
  readonly start: number;
  readonly end: number;
}

/** Where the postings of a term number lie. */
export function postingsAt(segment: Segment, term: number): PostingRange {
  return { start: segment.postingStarts[term] ?? 0, end: segment.postingStarts[term + 1] ?? 0 };
}

/** The packed counts of a document within the postings of a term; 0 when it is not there. */
export function countsIn(
  { postingDocs, postingCounts }: Segment,
  { start, end }: PostingRange,
  doc: number,
): number {
  const at = lowerBound(postingDocs, doc, start, end);
  return at < end && postingDocs[at] === doc ? (postingCounts[at] as number) : 0;
}
