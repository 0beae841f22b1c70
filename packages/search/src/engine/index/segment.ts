import { DIMENSIONS } from "../meaning/word-table.ts";
import { eachSlice, type Steps } from "../steps.ts";
import type { TermTable } from "./term-table.ts";

/** 16 bits each where that is enough: postings are most of an index. */
type DocNumbers = Uint16Array | Uint32Array;

/**
 * A set of documents, indexed once and never changed. Flat arrays of numbers: small, quick to read in order, and
 * written to disk as they are.
 */
export interface Segment {
  /** By document number. */
  readonly ids: readonly string[];
  /** By field, then by document number: how many terms the field has. */
  readonly lengths: readonly Uint16Array[];
  readonly terms: TermTable;
  /** The postings of term `t` are `postingStarts[t]` up to `postingStarts[t + 1]`, by rising document number. */
  readonly postingStarts: Uint32Array;
  readonly postingDocs: DocNumbers;
  /** Packed as described in `search-document.ts`. */
  readonly postingCounts: Uint16Array;
  /**
   * Filters of the pairs of adjacent terms: the one above the body of document `d` begins at
   * `pairStarts[2 * d]`, the one of its body at `pairStarts[2 * d + 1]`.
   */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint8Array;
  /** What each document means: a vector of what is above the body, one after the other. Empty without a word table. */
  readonly heads: Int8Array;
  /** The signs of the numbers in `heads`, one bit each: enough to choose which documents are compared in full. */
  readonly signs: Uint32Array;
  /** The vectors of its body's passages: those of document `d` are `passageStarts[d]` up to `passageStarts[d + 1]`. */
  readonly passageStarts: Uint32Array;
  readonly passages: Int8Array;
}

/** The vectors of one document, the passages one after the other. */
export interface Meaning {
  readonly head: Int8Array;
  readonly passages: Int8Array;
}

export function fitsIn16Bits(documents: number): boolean {
  return documents <= 0x10000;
}

export interface PostingRange {
  readonly start: number;
  readonly end: number;
}

/** Where the postings of a term number are. */
export function postingsAt(segment: Segment, term: number): PostingRange {
  return { start: segment.postingStarts[term] ?? 0, end: segment.postingStarts[term + 1] ?? 0 };
}

/** The first posting from `start` to `end` whose document is not before `doc`; `end` if there is none. */
export function firstPosting({ postingDocs }: Segment, start: number, end: number, doc: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postingDocs[middle] as number) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A segment, less the documents that were removed since. */
export interface SegmentView {
  readonly segment: Segment;
  /** 1 for a removed document; null while there is none. */
  readonly dead: Uint8Array | null;
  readonly deadCount: number;
  /** The sum of the heads of live documents: whole numbers, so that the order of edits does not matter. */
  readonly headSum: Float64Array;
  /** By field: how many terms the live documents have there, and the most that any document has. */
  readonly lengthSums: readonly number[];
  readonly longest: readonly number[];
}

export function* viewOf(segment: Segment): Steps<SegmentView> {
  const headSum = new Float64Array(DIMENSIONS);
  yield* eachSlice(segment.heads.length, (from, to) => {
    for (let start = from; start < to; start += DIMENSIONS) addHead(headSum, segment, start, 1);
  });
  const lengthSums = segment.lengths.map((lengths) => lengths.reduce((sum, length) => sum + length, 0));
  const longest = segment.lengths.map((lengths) =>
    lengths.reduce((most, length) => Math.max(most, length), 0),
  );
  return { segment, dead: null, deadCount: 0, headSum, lengthSums, longest };
}

function addHead(sum: Float64Array, { heads }: Segment, start: number, times: 1 | -1): void {
  for (let at = 0; at < DIMENSIONS; at++) {
    sum[at] = (sum[at] as number) + times * (heads[start + at] as number);
  }
}

/** The view without some of its documents, each of them live until now. */
export function withoutDocuments(view: SegmentView, gone: readonly number[]): SegmentView {
  if (gone.length === 0) return view;
  const { segment, deadCount } = view;
  const dead = view.dead === null ? new Uint8Array(segment.ids.length) : view.dead.slice();
  const headSum = view.headSum.slice();
  for (const doc of gone) {
    dead[doc] = 1;
    if (segment.heads.length > 0) addHead(headSum, segment, doc * DIMENSIONS, -1);
  }
  const lengthSums = view.lengthSums.map((sum, field) =>
    gone.reduce((rest, doc) => rest - (segment.lengths[field]?.[doc] ?? 0), sum),
  );
  return { ...view, dead, deadCount: deadCount + gone.length, headSum, lengthSums };
}

export function liveSize({ segment, deadCount }: SegmentView): number {
  return segment.ids.length - deadCount;
}

/** In how many live documents a term occurs: exact, so that an edited index ranks like a fresh one. */
export function liveCount({ segment, dead }: SegmentView, { start, end }: PostingRange): number {
  let count = end - start;
  if (dead !== null) {
    for (let at = start; at < end; at++) count -= dead[segment.postingDocs[at] as number] as number;
  }
  return count;
}
