import { MOST_PER_STEP, type Steps } from "../../../catalog/steps.ts";
import { FIELD_COUNT } from "./fields.ts";
import { growing8, growing16, growing32 } from "./growing-array.ts";
import { fitsIn16Bits, postingsAt, type Segment } from "./segment.ts";
import { liveSize, type SegmentView } from "./segment-view.ts";
import { termAt, termTableOf } from "./term-table.ts";

/** Taking on a document or a term costs about as much as copying so many postings. */
const UNITS_EACH = 16;
/** What a step holds when it is not yet full, and the postings that are copied next, make up the most of it. */
const FULL = MOST_PER_STEP / 2 - UNITS_EACH;

/** One segment with the living documents of all, as if they had been indexed together. */
export function* mergeSegments(views: readonly SegmentView[]): Steps<Segment> {
  const { renumbered, ...documents } = yield* mergeDocuments(views);
  const terms: string[] = [];
  const postingStarts = growing32();
  const live = views.reduce((sum, view) => sum + liveSize(view), 0);
  const postingDocs = fitsIn16Bits(live) ? growing16() : growing32();
  const postingCounts = growing16();
  const copyPostings = (segment: Segment, numbers: Int32Array, from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const doc = numbers[segment.postingDocs[at] as number] as number;
      if (doc === -1) continue;
      postingDocs.push(doc);
      postingCounts.push(segment.postingCounts[at] as number);
    }
  };
  const cursors = views.map(() => 0);
  const heads = views.map(({ segment }) => headOf(segment, 0));
  let units = 0;
  for (let term = smallest(heads); term !== null; term = smallest(heads)) {
    const before = postingDocs.length;
    for (const [index, { segment }] of views.entries()) {
      if (heads[index] !== term) continue;
      const cursor = cursors[index] ?? 0;
      const { start, end } = postingsAt(segment, cursor);
      for (let from = start; from < end; from += FULL) {
        const to = Math.min(from + FULL, end);
        copyPostings(segment, renumbered[index] as Int32Array, from, to);
        units += to - from;
        if (units >= FULL) {
          yield units;
          units = 0;
        }
      }
      cursors[index] = cursor + 1;
      heads[index] = headOf(segment, cursor + 1);
    }
    units += UNITS_EACH;
    // A word that only removed documents held is no longer known, or it would not be corrected.
    if (postingDocs.length === before) continue;
    terms.push(term);
    postingStarts.push(before);
  }
  yield units;
  postingStarts.push(postingDocs.length);
  return {
    ...documents,
    terms: yield* termTableOf(terms.length, (position) => terms[position] ?? ""),
    postingStarts: yield* postingStarts.finish(),
    postingDocs: yield* postingDocs.finish(),
    postingCounts: yield* postingCounts.finish(),
  };
}

type MergedDocuments = Pick<Segment, "ids" | "lengths" | "pairStarts" | "pairs"> & {
  /** By segment, then by its document number: the new number, or -1. */
  readonly renumbered: readonly Int32Array[];
};

/** What is kept by document. */
function* mergeDocuments(views: readonly SegmentView[]): Steps<MergedDocuments> {
  const ids: string[] = [];
  const lengths = Array.from({ length: FIELD_COUNT }, growing16);
  const pairStarts = growing32();
  const pairs = growing8();
  const renumbered: Int32Array[] = [];
  let units = 0;
  for (const { segment, dead } of views) {
    const numbers = new Int32Array(segment.ids.length).fill(-1);
    renumbered.push(numbers);
    for (const [doc, id] of segment.ids.entries()) {
      units += UNITS_EACH;
      if (units >= FULL) {
        yield units;
        units = 0;
      }
      if (dead !== null && dead[doc] === 1) continue;
      numbers[doc] = ids.length;
      ids.push(id);
      for (const [field, values] of lengths.entries()) values.push(segment.lengths[field]?.[doc] ?? 0);
      for (const part of [2 * doc, 2 * doc + 1]) {
        pairStarts.push(pairs.length);
        pairs.pushAll(segment.pairs.subarray(segment.pairStarts[part], segment.pairStarts[part + 1]));
      }
    }
  }
  yield units;
  pairStarts.push(pairs.length);
  const finished: Uint16Array[] = [];
  for (const values of lengths) finished.push(yield* values.finish());
  return {
    ids,
    lengths: finished,
    pairStarts: yield* pairStarts.finish(),
    pairs: yield* pairs.finish(),
    renumbered,
  };
}

function headOf({ terms }: Segment, cursor: number): string | null {
  return cursor < terms.size ? termAt(terms, cursor) : null;
}

function smallest(heads: readonly (string | null)[]): string | null {
  let least: string | null = null;
  for (const head of heads) if (head !== null && (least === null || head < least)) least = head;
  return least;
}
