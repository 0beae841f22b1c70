import type { SearchIndex } from "../index/search-index.ts";
import type { Segment, SegmentView } from "../index/segment.ts";
import { similarityAt } from "../meaning/embed.ts";
import { DIMENSIONS } from "../meaning/word-table.ts";
import type { ScoredDocument } from "./score-documents.ts";

/** A document, and those that are copies or forks of it. */
export interface Group<Document extends ScoredDocument> {
  readonly best: Document;
  readonly copies: readonly Document[];
}

/** How alike texts are that differ by a few words: rounding alone takes a hundredth. */
const SAME_HEAD = 0.96;
const SAME_PASSAGE = 0.93;
/** Shorter texts are alike by chance, and each may be all that its author had to say. */
const LEAST_TERMS = 40;
/** How much longer one body may be. */
const SAME_LENGTH = 0.9;

/** The first `most` documents that are not copies of a better one, each with its copies. `ranked` is best first. */
export function groupCopies<Document extends ScoredDocument>(
  index: SearchIndex,
  ranked: readonly Document[],
  most: number,
): readonly Group<Document>[] {
  const groups: { best: Document; copies: Document[] }[] = [];
  for (const document of ranked) {
    const group = groups.find(({ best }) => isCopy(index, best, document));
    if (group !== undefined) group.copies.push(document);
    else if (groups.length === most) break;
    else groups.push({ best: document, copies: [] });
  }
  return groups;
}

/** The best document that is neither the first nor a copy of it. */
export function firstOther<Document extends ScoredDocument>(
  index: SearchIndex,
  [first, ...others]: readonly Document[],
): Document | undefined {
  return first && others.find((other) => !isCopy(index, first, other));
}

function isCopy({ views }: SearchIndex, one: ScoredDocument, other: ScoredDocument): boolean {
  const first = (views[one.view] as SegmentView).segment;
  const second = (views[other.view] as SegmentView).segment;
  if (termsOf(first, one.doc) < LEAST_TERMS || termsOf(second, other.doc) < LEAST_TERMS) return false;
  // Words that no table knows have no meaning to compare: an exact copy is one in any language.
  if (isExactCopy(first, one.doc, second, other.doc)) return true;
  return first.heads.length > 0 && isNearCopy(first, one.doc, second, other.doc);
}

function termsOf({ lengths }: Segment, doc: number): number {
  return lengths.reduce((sum, field) => sum + (field[doc] ?? 0), 0);
}

/** As long in every field, with the same pairs of words. */
function isExactCopy(first: Segment, one: number, second: Segment, other: number): boolean {
  if (first.lengths.some((lengths, field) => lengths[one] !== second.lengths[field]?.[other])) return false;
  const pairs = pairsOf(first, one);
  const others = pairsOf(second, other);
  return pairs.length === others.length && pairs.every((byte, at) => byte === others[at]);
}

function pairsOf({ pairStarts, pairs }: Segment, doc: number): Uint8Array {
  return pairs.subarray(pairStarts[2 * doc], pairStarts[2 * doc + 2]);
}

/** Whether two documents are nearly equal above the body, and passage by passage in it. */
function isNearCopy(first: Segment, one: number, second: Segment, other: number): boolean {
  if (similarity(first.heads, one, second.heads, other) < SAME_HEAD) return false;
  const start = first.passageStarts[one] as number;
  const otherStart = second.passageStarts[other] as number;
  const count = (first.passageStarts[one + 1] as number) - start;
  const otherCount = (second.passageStarts[other + 1] as number) - otherStart;
  const shorter = Math.min(count, otherCount);
  const longer = Math.max(count, otherCount);
  if (shorter < SAME_LENGTH * longer) return false;
  for (let at = 0; at < shorter; at++) {
    if (similarity(first.passages, start + at, second.passages, otherStart + at) < SAME_PASSAGE) return false;
  }
  return true;
}

function similarity(vectors: Int8Array, number: number, others: Int8Array, other: number): number {
  const from = other * DIMENSIONS;
  return similarityAt(vectors, number * DIMENSIONS, others.subarray(from, from + DIMENSIONS));
}
