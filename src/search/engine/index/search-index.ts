import { eachSlice, runToEnd, type Steps } from "../../../catalog/steps.ts";
import { createSegmentBuilder } from "./build-segment.ts";
import { type FieldNorms, fieldNorms } from "./field-norms.ts";
import { mergeSegments } from "./merge-segments.ts";
import type { SearchDocument } from "./search-document.ts";
import { liveSize, type SegmentView, viewOf, withoutDocuments } from "./segment-view.ts";

/** Immutable: a large segment, smaller ones of what changed since, and marks on what was removed. */
export interface SearchIndex {
  /** How many documents can be found. */
  readonly size: number;
  /** Largest first. For the search only. */
  readonly views: readonly SegmentView[];
  /** By segment. For the search only. */
  readonly norms: readonly FieldNorms[];
}

export const EMPTY_INDEX: SearchIndex = runToEnd(indexOf([]));

export interface IndexBuilder {
  /** A later document replaces one of its id. Must be run to its end before the next one. */
  add(document: SearchDocument): Steps<void>;
  finish(): Steps<SearchIndex>;
}

export function createIndexBuilder(): IndexBuilder {
  const { add, finish } = createViewBuilder();
  return {
    add,
    *finish() {
      return yield* indexOf(yield* tidy([yield* finish()]));
    },
  };
}

function createViewBuilder(): { add(document: SearchDocument): Steps<void>; finish(): Steps<SegmentView> } {
  const builder = createSegmentBuilder();
  const latest = new Map<string, number>();
  const replaced: number[] = [];
  let size = 0;
  return {
    *add(document) {
      const before = latest.get(document.id);
      if (before !== undefined) replaced.push(before);
      latest.set(document.id, size++);
      yield* builder.add(document);
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

/** Removes and adds documents at a cost proportional to the change. An added document replaces one of its id. */
export function* updateIndex(index: SearchIndex, { removed, added }: IndexChange): Steps<SearchIndex> {
  if (removed.length === 0 && added.length === 0) return index;
  const gone = new Set([...removed, ...added.map(({ id }) => id)]);
  const views: SegmentView[] = [];
  for (const view of index.views) views.push(yield* without(view, gone));
  if (added.length > 0) {
    const fresh = createViewBuilder();
    for (const document of added) yield* fresh.add(document);
    views.push(yield* fresh.finish());
  }
  return yield* indexOf(yield* tidy(views));
}

export function* indexOf(views: readonly SegmentView[]): Steps<SearchIndex> {
  const size = views.reduce((sum, view) => sum + liveSize(view), 0);
  return { size, views, norms: yield* fieldNorms(views, size) };
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

/** Above this share of removed documents, a segment is written anew. */
const MOST_DEAD = 0.2;

/**
 * Keeps each segment at least twice the size of the next, as a number that counts in powers of two does: few
 * segments to search, and a document is copied only a logarithmic number of times.
 */
function* tidy(views: readonly SegmentView[]): Steps<readonly SegmentView[]> {
  const kept: SegmentView[] = [];
  for (const view of views) {
    let last = yield* compact(view);
    let before = kept.at(-1);
    while (before !== undefined && liveSize(before) < 2 * liveSize(last)) {
      kept.pop();
      last = yield* viewOf(yield* mergeSegments([before, last]));
      before = kept.at(-1);
    }
    if (liveSize(last) > 0) kept.push(last);
  }
  return kept;
}

function* compact(view: SegmentView): Steps<SegmentView> {
  const isWorn = view.deadCount > MOST_DEAD * view.segment.ids.length;
  return isWorn ? yield* viewOf(yield* mergeSegments([view])) : view;
}
