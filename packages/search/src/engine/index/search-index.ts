import type { WordTable } from "../meaning/embed.ts";
import { eachSlice, type Steps } from "../steps.ts";
import { BM25F, createSegmentBuilder, type SearchDocument } from "./build-segment.ts";
import {
  FIELD_COUNT,
  liveSize,
  type Segment,
  type SegmentView,
  viewOf,
  withoutDocuments,
} from "./segment.ts";
import { mergeSegments } from "./segment-writer.ts";

/** Immutable: a large segment, smaller ones of what changed since, and marks on what was removed. */
export interface SearchIndex {
  /** How many documents can be found. */
  readonly size: number;
  /** How many terms all of their texts have. */
  readonly words: number;
  /** In the order in which they were added. For the search only. */
  readonly views: readonly SegmentView[];
  /** By field and by length: what one occurrence in such a field is worth. For the search only. */
  readonly norms: readonly Float32Array[];
  /** What its vectors were made with; undefined when it has none, and finds by words alone. */
  readonly table: WordTable | undefined;
}

export const EMPTY_INDEX: SearchIndex = emptyIndex(undefined);

export function emptyIndex(table: WordTable | undefined): SearchIndex {
  return indexOf([], table);
}

export interface IndexBuilder {
  /** A later document replaces one with the same id. */
  add(document: SearchDocument): void;
  finish(): Steps<SearchIndex>;
}

export function createIndexBuilder(table?: WordTable): IndexBuilder {
  const { add, finish } = createViewBuilder(table);
  return {
    add,
    *finish() {
      const views = yield* tidy([yield* finish()]);
      yield;
      return indexOf(views, table);
    },
  };
}

function createViewBuilder(table: WordTable | undefined): {
  add(document: SearchDocument): void;
  finish(): Steps<SegmentView>;
} {
  const builder = createSegmentBuilder(table);
  const latest = new Map<string, number>();
  const replaced: number[] = [];
  let size = 0;
  return {
    add(document) {
      const before = latest.get(document.id);
      if (before !== undefined) replaced.push(before);
      latest.set(document.id, size++);
      builder.add(document);
    },
    *finish() {
      return withoutDocuments(yield* viewOf(yield* builder.finish()), replaced);
    },
  };
}

export interface IndexChange {
  readonly removed: readonly string[];
  readonly added: readonly SearchDocument[];
}

/** Removes and adds documents at a cost proportional to the change. An added document replaces one with the same id. */
export function* updateIndex(index: SearchIndex, { removed, added }: IndexChange): Steps<SearchIndex> {
  if (removed.length === 0 && added.length === 0) return index;
  const gone = new Set([...removed, ...added.map(({ id }) => id)]);
  const views: SegmentView[] = [];
  for (const view of index.views) views.push(yield* without(view, gone));
  if (added.length > 0) {
    const fresh = createViewBuilder(index.table);
    for (const document of added) {
      fresh.add(document);
      yield;
    }
    views.push(yield* fresh.finish());
  }
  const tidied = yield* tidy(views);
  yield;
  return indexOf(tidied, index.table);
}

function* without(view: SegmentView, gone: ReadonlySet<string>): Steps<SegmentView> {
  const { ids } = view.segment;
  const found: number[] = [];
  yield* eachSlice(ids.length, (from, to) => {
    for (let doc = from; doc < to; doc++) {
      if (gone.has(ids[doc] as string) && view.dead?.[doc] !== 1) found.push(doc);
    }
  });
  return withoutDocuments(view, found);
}

/** The index of one segment, as it was written to disk. */
export function* indexOfSegment(segment: Segment, table?: WordTable): Steps<SearchIndex> {
  return indexOf([yield* viewOf(segment)], table);
}

/** All live documents as one segment. */
export function* wholeSegment({ views }: SearchIndex): Steps<Segment> {
  const [only, ...others] = views;
  const isWhole = only !== undefined && others.length === 0 && only.deadCount === 0;
  return isWhole ? only.segment : yield* mergeSegments(views);
}

function indexOf(views: readonly SegmentView[], table: WordTable | undefined): SearchIndex {
  const size = views.reduce((sum, view) => sum + liveSize(view), 0);
  const sums = Array.from({ length: FIELD_COUNT }, (_, field) =>
    views.reduce((sum, { lengthSums }) => sum + (lengthSums[field] ?? 0), 0),
  );
  return {
    size,
    words: sums.reduce((words, sum) => words + sum, 0),
    views,
    table,
    norms: sums.map((sum, field) => normsOf(views, field, sum / Math.max(size, 1))),
  };
}

/**
 * The field's weight and the document's length taken together, worked out once per index. Averages are of live documents
 * and come from whole numbers: an edited index has exactly those of a fresh one.
 */
function normsOf(views: readonly SegmentView[], field: number, average: number): Float32Array {
  const weight = BM25F.weights[field] ?? 0;
  const b = BM25F.b[field] ?? 0;
  const perTerm = average === 0 ? 0 : b / average;
  const norms = new Float32Array(1 + Math.max(0, ...views.map(({ longest }) => longest[field] ?? 0)));
  for (let length = 0; length < norms.length; length++) norms[length] = weight / (1 - b + perTerm * length);
  return norms;
}

/** Above this share of removed documents, a segment is written again. */
const MOST_DEAD = 0.2;

/** So many segments of about one size become one. */
const MERGED_AT_ONCE = 4;

/**
 * Merges as a number in base 4 carries: few segments to search, three of four edits add one without merging, and a document is
 * copied only a logarithmic number of times.
 */
function* tidy(views: readonly SegmentView[]): Steps<readonly SegmentView[]> {
  const tidied: SegmentView[] = [];
  for (const view of views) {
    if (liveSize(view) === 0) continue;
    let last = view.deadCount <= MOST_DEAD * view.segment.ids.length ? view : yield* merged([view]);
    for (let group = alike(tidied, last); group.length >= MERGED_AT_ONCE; group = alike(tidied, last)) {
      tidied.length -= group.length - 1;
      last = yield* merged(group);
    }
    tidied.push(last);
  }
  return tidied;
}

/** The last segments, up to one that is clearly larger than the next, and the next. */
function alike(views: readonly SegmentView[], next: SegmentView): readonly SegmentView[] {
  const larger = views.findLastIndex((view) => liveSize(view) >= MERGED_AT_ONCE * liveSize(next));
  return [...views.slice(larger + 1), next];
}

function* merged(views: readonly SegmentView[]): Steps<SegmentView> {
  return yield* viewOf(yield* mergeSegments(views));
}
