import { createSegmentBuilder } from "./build-segment.ts";
import { type FieldNorms, fieldNorms } from "./field-norms.ts";
import { mergeSegments } from "./merge-segments.ts";
import type { SearchDocument } from "./search-document.ts";
import type { Segment, SegmentView } from "./segment.ts";

/** Immutable: a large segment, smaller ones of what changed since, and marks on what was removed. */
export interface SearchIndex {
  /** How many documents can be found. */
  readonly size: number;
  /** Largest first. For the search only. */
  readonly views: readonly SegmentView[];
  /** By segment. For the search only. */
  readonly norms: readonly FieldNorms[];
}

export const EMPTY_INDEX: SearchIndex = indexOf([]);

/** Collects documents in slices, so that a caller can yield in between. A later document replaces one of its id. */
export function createIndexBuilder(): { add(document: SearchDocument): void; finish(): SearchIndex } {
  const builder = createSegmentBuilder();
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
    finish() {
      return indexOf(tidy([withDead(builder.finish(), replaced)]));
    },
  };
}

export interface IndexChange {
  readonly removed: readonly string[];
  readonly added: readonly SearchDocument[];
}

/** Removes and adds documents at a cost proportional to the change. An added document replaces one of its id. */
export function updateIndex(index: SearchIndex, { removed, added }: IndexChange): SearchIndex {
  if (removed.length === 0 && added.length === 0) return index;
  const gone = new Set([...removed, ...added.map(({ id }) => id)]);
  const views = index.views.map((view) => without(view, gone));
  const fresh = createIndexBuilder();
  for (const document of added) fresh.add(document);
  return indexOf(tidy([...views, ...fresh.finish().views]));
}

export function indexOf(views: readonly SegmentView[]): SearchIndex {
  let size = 0;
  for (const { segment, deadCount } of views) size += segment.ids.length - deadCount;
  return { size, views, norms: fieldNorms(views, size) };
}

function without(view: SegmentView, gone: ReadonlySet<string>): SegmentView {
  const { segment, dead } = view;
  const found: number[] = [];
  for (const [doc, id] of segment.ids.entries()) if (gone.has(id) && dead?.[doc] !== 1) found.push(doc);
  return found.length === 0 ? view : withDead(segment, found, dead);
}

function withDead(segment: Segment, found: readonly number[], before: Uint8Array | null = null): SegmentView {
  if (found.length === 0 && before === null) return { segment, dead: null, deadCount: 0 };
  const dead = before === null ? new Uint8Array(segment.ids.length) : before.slice();
  for (const doc of found) dead[doc] = 1;
  let deadCount = 0;
  for (const mark of dead) deadCount += mark;
  return { segment, dead, deadCount };
}

/** Above this share of removed documents, a segment is written anew. */
const MOST_DEAD = 0.2;

/**
 * Keeps each segment at least twice the size of the next, as a number that counts in powers of two does: few
 * segments to search, and a document is copied only a logarithmic number of times.
 */
function tidy(views: readonly SegmentView[]): readonly SegmentView[] {
  const kept: SegmentView[] = [];
  for (const view of views) {
    let last = compact(view);
    let before = kept.at(-1);
    while (before !== undefined && liveSize(before) < 2 * liveSize(last)) {
      kept.pop();
      last = viewOf(mergeSegments([before, last]));
      before = kept.at(-1);
    }
    if (liveSize(last) > 0) kept.push(last);
  }
  return kept;
}

function compact(view: SegmentView): SegmentView {
  return view.deadCount > MOST_DEAD * view.segment.ids.length ? viewOf(mergeSegments([view])) : view;
}

function viewOf(segment: Segment): SegmentView {
  return { segment, dead: null, deadCount: 0 };
}

function liveSize({ segment, deadCount }: SegmentView): number {
  return segment.ids.length - deadCount;
}
