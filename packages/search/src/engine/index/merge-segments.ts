import { DIMENSIONS } from "../meaning/word-table.ts";
import { OPERATIONS_PER_STEP, type Steps } from "../steps.ts";
import { type Meaning, postingsAt, type Segment, type SegmentView } from "./segment.ts";
import { createSegmentWriter, type SegmentWriter } from "./segment-writer.ts";
import { termAt, termCount } from "./term-table.ts";

/** Copying a document or a term costs about as much as copying so many postings. */
const COST_OF_EACH = 16;

/** One segment with the live documents of all, as if they had been indexed together. */
export function* mergeSegments(views: readonly SegmentView[]): Steps<Segment> {
  const writer = createSegmentWriter();
  for (const view of views) {
    const numbers = yield* copyDocuments(view, writer);
    yield* copyPostings(view.segment, numbers, writer);
  }
  return yield* writer.finish();
}

/** Returns the new number of each document; -1 for one that was removed. */
function* copyDocuments({ segment, dead }: SegmentView, writer: SegmentWriter): Steps<Int32Array> {
  const { ids, lengths, pairStarts, pairs } = segment;
  const numbers = new Int32Array(ids.length).fill(-1);
  const filterAt = (part: number): Uint8Array => pairs.subarray(pairStarts[part], pairStarts[part + 1]);
  for (const [doc, id] of ids.entries()) {
    if (doc % (OPERATIONS_PER_STEP / COST_OF_EACH) === 0) yield;
    if (dead?.[doc] === 1) continue;
    const ownLengths = lengths.map((values) => values[doc] as number);
    const filters = [filterAt(2 * doc), filterAt(2 * doc + 1)];
    numbers[doc] = writer.addDocument(id, ownLengths, filters, meaningOf(segment, doc));
  }
  return numbers;
}

function meaningOf({ heads, passageStarts, passages }: Segment, doc: number): Meaning | undefined {
  if (heads.length === 0) return undefined;
  const start = passageStarts[doc] as number;
  const end = passageStarts[doc + 1] as number;
  return {
    head: heads.subarray(doc * DIMENSIONS, (doc + 1) * DIMENSIONS),
    passages: passages.subarray(start * DIMENSIONS, end * DIMENSIONS),
  };
}

function* copyPostings(segment: Segment, numbers: Int32Array, writer: SegmentWriter): Steps<void> {
  let unyielded = 0;
  for (let term = 0; term < termCount(segment.terms); term++) {
    const { start, end } = postingsAt(segment, term);
    copyTerm(segment, term, numbers, writer);
    unyielded += COST_OF_EACH + end - start;
    if (unyielded < OPERATIONS_PER_STEP) continue;
    yield;
    unyielded = 0;
  }
}

function copyTerm(segment: Segment, term: number, numbers: Int32Array, writer: SegmentWriter): void {
  const { start, end } = postingsAt(segment, term);
  let number = -1;
  for (let at = start; at < end; at++) {
    const doc = numbers[segment.postingDocs[at] as number] as number;
    if (doc === -1) continue;
    // A word that only removed documents had is no longer known, or it would not be corrected.
    if (number === -1) number = writer.termNumber(termAt(segment.terms, term));
    writer.addPosting(number, doc, segment.postingCounts[at] as number);
  }
}
