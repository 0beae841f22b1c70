import { eachSlice, type Steps } from "../../../catalog/steps.ts";
import { docNumbers, type Segment } from "./segment.ts";

export interface UnsortedPostings {
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
  /** By document: where its postings end. */
  readonly ends: Uint32Array;
  /** By term: its place among all. */
  readonly rank: Uint32Array;
}

/** A counting sort by term: documents come in rising order, and stay so within each term. */
export function* sortPostings({
  terms,
  counts,
  ends,
  rank,
}: UnsortedPostings): Steps<Pick<Segment, "postingStarts" | "postingDocs" | "postingCounts">> {
  const postingStarts = new Uint32Array(rank.length + 1);
  yield* eachSlice(terms.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const slot = (rank[terms[at] as number] as number) + 1;
      postingStarts[slot] = (postingStarts[slot] as number) + 1;
    }
  });
  yield* eachSlice(rank.length, (from, to) => {
    for (let slot = from; slot < to; slot++) {
      postingStarts[slot + 1] = (postingStarts[slot + 1] as number) + (postingStarts[slot] as number);
    }
  });
  const next = new Uint32Array(rank.length);
  yield* eachSlice(rank.length, (from, to) => next.set(postingStarts.subarray(from, to), from));
  const postingDocs = docNumbers(ends.length, terms.length);
  const postingCounts = new Uint16Array(terms.length);
  let doc = 0;
  yield* eachSlice(terms.length, (from, to) => {
    for (let index = from; index < to; index++) {
      while (index >= (ends[doc] as number)) doc++;
      const slot = rank[terms[index] as number] as number;
      const at = next[slot] as number;
      next[slot] = at + 1;
      postingDocs[at] = doc;
      postingCounts[at] = counts[index] as number;
    }
  });
  return { postingStarts, postingDocs, postingCounts };
}
