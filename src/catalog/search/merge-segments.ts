import { FIELD_COUNT } from "./fields.ts";
import { growing8, growing16, growing32 } from "./growing-array.ts";
import { postingsAt, type Segment, type SegmentView } from "./segment.ts";
import { termAt, termTableOf } from "./term-table.ts";

/** One segment with the living documents of all, as if they had been indexed together. */
export function mergeSegments(views: readonly SegmentView[]): Segment {
  const ids: string[] = [];
  const lengths = Array.from({ length: FIELD_COUNT }, growing16);
  const pairStarts = growing32();
  const pairs = growing8();
  const renumbered = views.map(({ segment, dead }) => {
    const numbers = new Int32Array(segment.ids.length).fill(-1);
    for (const [doc, id] of segment.ids.entries()) {
      if (dead !== null && dead[doc] === 1) continue;
      numbers[doc] = ids.length;
      ids.push(id);
      for (const [field, values] of lengths.entries()) values.push(segment.lengths[field]?.[doc] ?? 0);
      for (const part of [2 * doc, 2 * doc + 1]) {
        pairStarts.push(pairs.length);
        pairs.pushAll(segment.pairs.subarray(segment.pairStarts[part], segment.pairStarts[part + 1]));
      }
    }
    return numbers;
  });
  pairStarts.push(pairs.length);

  const terms: string[] = [];
  const postingStarts = growing32();
  const postingDocs = growing32();
  const postingCounts = growing16();
  const cursors = views.map(() => 0);
  const heads = views.map(({ segment }) => headOf(segment, 0));
  for (let term = smallest(heads); term !== null; term = smallest(heads)) {
    const before = postingDocs.length;
    for (const [index, { segment }] of views.entries()) {
      if (heads[index] !== term) continue;
      const cursor = cursors[index] ?? 0;
      const { start, end } = postingsAt(segment, cursor);
      for (let at = start; at < end; at++) {
        const doc = renumbered[index]?.[segment.postingDocs[at] ?? 0] ?? -1;
        if (doc === -1) continue;
        postingDocs.push(doc);
        postingCounts.push(segment.postingCounts[at] ?? 0);
      }
      cursors[index] = cursor + 1;
      heads[index] = headOf(segment, cursor + 1);
    }
    // A word that only removed documents held is no longer known, or it would not be corrected.
    if (postingDocs.length === before) continue;
    terms.push(term);
    postingStarts.push(before);
  }
  postingStarts.push(postingDocs.length);
  return {
    ids,
    lengths: lengths.map((values) => values.finish()),
    terms: termTableOf(terms),
    postingStarts: postingStarts.finish(),
    postingDocs: postingDocs.finish(),
    postingCounts: postingCounts.finish(),
    pairStarts: pairStarts.finish(),
    pairs: pairs.finish(),
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
