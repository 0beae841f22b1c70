import { eachSlice, type Steps } from "../../../catalog/steps.ts";
import { FIELD_COUNT } from "./fields.ts";
import { countsIn, type PostingRange, type Segment } from "./segment.ts";

/** A segment, less the documents that were removed since. */
export interface SegmentView {
  readonly segment: Segment;
  /** 1 for a removed document; null while there is none. */
  readonly dead: Uint8Array | null;
  readonly deadCount: number;
  /** By field: how many terms its living documents hold. */
  readonly lengthSums: readonly number[];
  /** By field: how many terms the longest holds, removed ones included. */
  readonly longest: readonly number[];
}

/** All of a segment. */
export function* viewOf(segment: Segment): Steps<SegmentView> {
  const lengthSums = Array.from({ length: FIELD_COUNT }, () => 0);
  const longest = Array.from({ length: FIELD_COUNT }, () => 0);
  for (const [field, lengths] of segment.lengths.entries()) {
    yield* eachSlice(lengths.length, (from, to) => {
      let sum = 0;
      let most = longest[field] ?? 0;
      for (let doc = from; doc < to; doc++) {
        const length = lengths[doc] as number;
        sum += length;
        if (length > most) most = length;
      }
      lengthSums[field] = (lengthSums[field] ?? 0) + sum;
      longest[field] = most;
    });
  }
  return { segment, dead: null, deadCount: 0, lengthSums, longest };
}

/** The view without some of its documents, each of them living until now. */
export function withoutDocuments(view: SegmentView, gone: readonly number[]): SegmentView {
  if (gone.length === 0) return view;
  const { segment, deadCount, lengthSums, longest } = view;
  const dead = view.dead === null ? new Uint8Array(segment.ids.length) : view.dead.slice();
  for (const doc of gone) dead[doc] = 1;
  return {
    segment,
    dead,
    deadCount: deadCount + gone.length,
    lengthSums: lengthSums.map((sum, field) =>
      gone.reduce((rest, doc) => rest - (segment.lengths[field]?.[doc] ?? 0), sum),
    ),
    longest,
  };
}

export function liveSize({ segment, deadCount }: SegmentView): number {
  return segment.ids.length - deadCount;
}

/** In how many living documents a term occurs: exact, so that an edited index ranks like a fresh one. */
export function liveCount({ segment, dead, deadCount }: SegmentView, range: PostingRange): number {
  const { start, end } = range;
  const all = end - start;
  if (dead === null || deadCount === 0) return all;
  let gone = 0;
  if (deadCount * 16 < all) {
    // Few removed and a long list: look each one up rather than read the list.
    for (let doc = dead.indexOf(1); doc !== -1; doc = dead.indexOf(1, doc + 1)) {
      if (countsIn(segment, range, doc) > 0) gone++;
    }
  } else {
    const docs = segment.postingDocs;
    for (let at = start; at < end; at++) gone += dead[docs[at] as number] as number;
  }
  return all - gone;
}
