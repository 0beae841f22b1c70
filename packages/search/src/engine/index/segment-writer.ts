import { signsOf } from "../meaning/embed.ts";
import { eachSlice, OPERATIONS_PER_STEP, type Steps } from "../steps.ts";
import {
  DIMENSIONS,
  FIELD_COUNT,
  fitsIn16Bits,
  type Meaning,
  postingsAt,
  type Segment,
  type SegmentView,
  termAt,
  termCount,
  termTableOf,
} from "./segment.ts";

/** Collects documents and their postings in any order of terms, and sorts them into a segment. */
interface SegmentWriter {
  /** The number of a term; a new one gets the next number, from 0. */
  termNumber(term: string): number;
  /** Returns the document's number. `lengths` are by field, `pairs` the filters above the body and of the body. */
  addDocument(
    id: string,
    lengths: readonly number[],
    pairs: readonly Uint8Array[],
    meaning: Meaning | undefined,
  ): number;
  /** Documents rise within a term. */
  addPosting(term: number, doc: number, counts: number): void;
  finish(): Steps<Segment>;
}

export function createSegmentWriter(): SegmentWriter {
  const ids: string[] = [];
  const fieldLengths = Array.from({ length: FIELD_COUNT }, () => growingArray(Uint16Array));
  const pairStarts = growingArray(Uint32Array);
  const pairs = growingArray(Uint8Array);
  const [heads, passages] = [growingArray(Int8Array), growingArray(Int8Array)];
  const passageStarts = growingArray(Uint32Array);
  const terms = new Map<string, number>();
  const postingTerms = growingArray(Uint32Array);
  const postingDocs = growingArray(Uint32Array);
  const postingCounts = growingArray(Uint16Array);
  return {
    termNumber(term) {
      const known = terms.get(term);
      if (known !== undefined) return known;
      terms.set(term, terms.size);
      return terms.size - 1;
    },
    addDocument(id, lengths, filters, meaning) {
      for (const [field, values] of fieldLengths.entries()) values.push(lengths[field] ?? 0);
      for (const filter of filters) {
        pairStarts.push(pairs.length());
        pairs.pushAll(filter);
      }
      passageStarts.push(passages.length() / DIMENSIONS);
      if (meaning !== undefined) heads.pushAll(meaning.head);
      if (meaning !== undefined) passages.pushAll(meaning.passages);
      return ids.push(id) - 1;
    },
    addPosting(term, doc, counts) {
      postingTerms.push(term);
      postingDocs.push(doc);
      postingCounts.push(counts);
    },
    *finish() {
      pairStarts.push(pairs.length());
      passageStarts.push(passages.length() / DIMENSIONS);
      const sorted = yield* sortTerms([...terms.keys()]);
      const rank = yield* ranksOf(sorted, terms);
      const postings = {
        terms: postingTerms.finish(),
        docs: postingDocs.finish(),
        counts: postingCounts.finish(),
      };
      yield;
      return {
        ids,
        lengths: fieldLengths.map((values) => values.finish()),
        terms: termTableOf(sorted),
        ...(yield* sortPostings(postings, rank, ids.length)),
        pairStarts: pairStarts.finish(),
        pairs: yield* finished(pairs),
        ...(yield* withSigns(yield* finished(heads))),
        passageStarts: passageStarts.finish(),
        passages: yield* finished(passages),
      };
    },
  };
}

/** A copy of some megabytes. */
function* finished<Kind>(values: { finish(): Kind }): Steps<Kind> {
  yield;
  return values.finish();
}

/** The place of each term in the sorted list, by its number. */
function* ranksOf(sorted: readonly string[], numbers: ReadonlyMap<string, number>): Steps<Uint32Array> {
  const ranks = new Uint32Array(sorted.length);
  yield* eachSlice(sorted.length, (from, to) => {
    for (let place = from; place < to; place++) ranks[numbers.get(sorted[place] as string) as number] = place;
  });
  return ranks;
}

function* withSigns(heads: Int8Array): Steps<Pick<Segment, "heads" | "signs">> {
  return { heads, signs: yield* signsOf(heads) };
}

/** In code unit order. In buckets by the first two units, as sorting all at once may take a tenth of a second. */
export function* sortTerms(terms: readonly string[]): Steps<readonly string[]> {
  const buckets = new Map<string, string[]>();
  yield* eachSlice(terms.length, (from, to) => {
    for (const term of terms.slice(from, to)) {
      const beginning = term.slice(0, 2);
      const bucket = buckets.get(beginning);
      if (bucket === undefined) buckets.set(beginning, [term]);
      else bucket.push(term);
    }
  });
  const sorted: string[] = [];
  let unyielded = 0;
  for (const beginning of [...buckets.keys()].sort()) {
    const bucket = buckets.get(beginning) ?? [];
    for (const term of bucket.sort()) sorted.push(term);
    unyielded += bucket.length * COST_OF_SORTING;
    if (unyielded < OPERATIONS_PER_STEP) continue;
    yield;
    unyielded = 0;
  }
  return sorted;
}

/** About as many comparisons as a term takes. */
const COST_OF_SORTING = 10;

interface UnsortedPostings {
  readonly terms: Uint32Array;
  readonly docs: Uint32Array;
  readonly counts: Uint16Array;
}

/** A counting sort by term, which keeps the order of documents within a term. */
function* sortPostings(
  { terms, docs, counts }: UnsortedPostings,
  rank: Uint32Array,
  documents: number,
): Steps<Pick<Segment, "postingStarts" | "postingDocs" | "postingCounts">> {
  const postingStarts = new Uint32Array(rank.length + 1);
  yield* eachSlice(terms.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const slot = (rank[terms[index] as number] as number) + 1;
      postingStarts[slot] = (postingStarts[slot] as number) + 1;
    }
  });
  for (let slot = 0; slot < rank.length; slot++) {
    postingStarts[slot + 1] = (postingStarts[slot + 1] as number) + (postingStarts[slot] as number);
  }
  const next = postingStarts.slice();
  const postingDocs = fitsIn16Bits(documents) ? new Uint16Array(terms.length) : new Uint32Array(terms.length);
  const postingCounts = new Uint16Array(terms.length);
  yield* eachSlice(terms.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const slot = rank[terms[index] as number] as number;
      const at = next[slot] as number;
      next[slot] = at + 1;
      postingDocs[at] = docs[index] as number;
      postingCounts[at] = counts[index] as number;
    }
  });
  return { postingStarts, postingDocs, postingCounts };
}

type Numbers =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

/** Numbers appended one at a time, without the eight bytes that a plain array takes for each. */
function growingArray<Kind extends Numbers>(Type: new (size: number) => Kind) {
  let values = new Type(256);
  let used = 0;
  const makeRoom = (count: number): void => {
    if (used + count <= values.length) return;
    const larger = new Type(Math.max(2 * values.length, used + count));
    larger.set(values);
    values = larger;
  };
  return {
    push(value: number): void {
      if (used === values.length) makeRoom(1);
      values[used++] = value;
    },
    pushAll(added: Kind | Int8Array | Uint8Array): void {
      makeRoom(added.length);
      values.set(added, used);
      used += added.length;
    },
    length: () => used,
    /** A copy of exactly the right size. */
    finish: () => values.slice(0, used) as Kind,
  };
}

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
