import { eachSlice, type Steps } from "../steps.ts";

/** 16 bits each where that is enough: postings are most of an index. */
type DocNumbers = Uint16Array | Uint32Array;

/**
 * A set of documents, indexed once and never changed. Flat arrays of numbers: small, quick to read in order, and
 * written to disk as they are.
 */
export interface Segment {
  /** By document number. */
  readonly ids: readonly string[];
  /** By field, then by document number: how many terms the field has. */
  readonly lengths: readonly Uint16Array[];
  readonly terms: TermTable;
  /** The postings of term `t` are `postingStarts[t]` up to `postingStarts[t + 1]`, by rising document number. */
  readonly postingStarts: Uint32Array;
  readonly postingDocs: DocNumbers;
  /** Packed as described in `search-document.ts`. */
  readonly postingCounts: Uint16Array;
  /**
   * Filters of the pairs of adjacent terms: the one above the body of document `d` begins at
   * `pairStarts[2 * d]`, the one of its body at `pairStarts[2 * d + 1]`.
   */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint8Array;
  /** What each document means: a vector of what is above the body, one after the other. Empty without a word table. */
  readonly heads: Int8Array;
  /** The signs of the numbers in `heads`, one bit each: enough to choose which documents are compared in full. */
  readonly signs: Uint32Array;
  /** The vectors of its body's passages: those of document `d` are `passageStarts[d]` up to `passageStarts[d + 1]`. */
  readonly passageStarts: Uint32Array;
  readonly passages: Int8Array;
}

/** The vectors of one document, the passages one after the other. */
export interface Meaning {
  readonly head: Int8Array;
  readonly passages: Int8Array;
}

export function fitsIn16Bits(documents: number): boolean {
  return documents <= 0x10000;
}

export interface PostingRange {
  readonly start: number;
  readonly end: number;
}

/** Where the postings of a term number are. */
export function postingsAt(segment: Segment, term: number): PostingRange {
  return { start: segment.postingStarts[term] ?? 0, end: segment.postingStarts[term + 1] ?? 0 };
}

/** The first posting from `start` to `end` whose document is not before `doc`; `end` if there is none. */
export function firstPosting({ postingDocs }: Segment, start: number, end: number, doc: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postingDocs[middle] as number) < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A segment, less the documents that were removed since. */
export interface SegmentView {
  readonly segment: Segment;
  /** 1 for a removed document; null while there is none. */
  readonly dead: Uint8Array | null;
  readonly deadCount: number;
  /** The sum of the heads of live documents: whole numbers, so that the order of edits does not matter. */
  readonly headSum: Float64Array;
  /** By field: how many terms the live documents have there, and the most that any document has. */
  readonly lengthSums: readonly number[];
  readonly longest: readonly number[];
}

export function* viewOf(segment: Segment): Steps<SegmentView> {
  const headSum = new Float64Array(DIMENSIONS);
  yield* eachSlice(segment.heads.length, (from, to) => {
    for (let start = from; start < to; start += DIMENSIONS) addHead(headSum, segment, start, 1);
  });
  const lengthSums = segment.lengths.map((lengths) => lengths.reduce((sum, length) => sum + length, 0));
  const longest = segment.lengths.map((lengths) =>
    lengths.reduce((most, length) => Math.max(most, length), 0),
  );
  return { segment, dead: null, deadCount: 0, headSum, lengthSums, longest };
}

function addHead(sum: Float64Array, { heads }: Segment, start: number, times: 1 | -1): void {
  for (let at = 0; at < DIMENSIONS; at++) {
    sum[at] = (sum[at] as number) + times * (heads[start + at] as number);
  }
}

/** The view without some of its documents, each of them live until now. */
export function withoutDocuments(view: SegmentView, gone: readonly number[]): SegmentView {
  if (gone.length === 0) return view;
  const { segment, deadCount } = view;
  const dead = view.dead === null ? new Uint8Array(segment.ids.length) : view.dead.slice();
  const headSum = view.headSum.slice();
  for (const doc of gone) {
    dead[doc] = 1;
    if (segment.heads.length > 0) addHead(headSum, segment, doc * DIMENSIONS, -1);
  }
  const lengthSums = view.lengthSums.map((sum, field) =>
    gone.reduce((rest, doc) => rest - (segment.lengths[field]?.[doc] ?? 0), sum),
  );
  return { ...view, dead, deadCount: deadCount + gone.length, headSum, lengthSums };
}

export function liveSize({ segment, deadCount }: SegmentView): number {
  return segment.ids.length - deadCount;
}

/** In how many live documents a term occurs: exact, so that an edited index ranks like a fresh one. */
export function liveCount({ segment, dead }: SegmentView, { start, end }: PostingRange): number {
  let count = end - start;
  if (dead !== null) {
    for (let at = start; at < end; at++) count -= dead[segment.postingDocs[at] as number] as number;
  }
  return count;
}

/** Terms in code unit order, as one string: a tenth of the memory of a Map, and a search looks up few of them. */
export interface TermTable {
  readonly text: string;
  /** Term `t` is the text from `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
}

/** `terms` contains every term once, in code unit order. */
export function termTableOf(terms: readonly string[]): TermTable {
  const starts = new Uint32Array(terms.length + 1);
  for (const [number, term] of terms.entries()) starts[number + 1] = (starts[number] as number) + term.length;
  return { text: terms.join(""), starts };
}

export function termCount({ starts }: TermTable): number {
  return starts.length - 1;
}

export function termAt({ text, starts }: TermTable, number: number): string {
  return text.slice(starts[number], starts[number + 1]);
}

/** The number of a term, or -1. */
export function findTerm(table: TermTable, term: string): number {
  const number = firstTermFrom(table, term);
  return number < termCount(table) && termAt(table, number) === term ? number : -1;
}

/** The number of the first term that does not come before `term`. */
export function firstTermFrom(table: TermTable, term: string): number {
  let low = 0;
  let high = termCount(table);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(table, middle, term)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Unit by unit: a string of each term that is looked at would be garbage at once. */
function comesBefore({ text, starts }: TermTable, number: number, term: string): boolean {
  const start = starts[number] as number;
  const length = (starts[number + 1] as number) - start;
  for (let at = 0; at < length && at < term.length; at++) {
    const difference = text.charCodeAt(start + at) - term.charCodeAt(at);
    if (difference !== 0) return difference < 0;
  }
  return length < term.length;
}

/** Whole numbers, appended one after the other. Reused for one text after another, so that reading texts leaves no garbage. */
export interface NumberList {
  values: Int32Array;
  length: number;
}

export function numberList(): NumberList {
  return { values: new Int32Array(256), length: 0 };
}

export function append(list: NumberList, value: number): void {
  if (list.length === list.values.length) list.values = withRoomFor(list.values, list.length);
  list.values[list.length++] = value;
}

/** Returns the array itself if `index` fits into it, else a larger copy. */
export function withRoomFor<Kind extends Int32Array | Uint16Array | Uint32Array>(
  values: Kind,
  index: number,
): Kind {
  if (index < values.length) return values;
  const larger = new (values.constructor as new (size: number) => Kind)(2 * Math.max(values.length, index));
  larger.set(values);
  return larger;
}

/**
 * Which words are close together in a text, as a Bloom filter: smaller than a list of hashes, and faster to query.
 * It never misses a pair, and has about 1 % false positives.
 */

/** Words at most this far apart are a pair, in either order: `code review`, `review of the new code`. */
export const PAIR_WINDOW = 2;
const PROBES = 4;
/** At half of this, chance hits cost half a point of recall on the development prompts. */
const BYTES_PER_PAIR = 1.5;
/** In a filter of a few bytes chance hits would be too many. */
const LEAST_BYTES = 16;
/** How many hashes of pairs there are: those of 30 bits are small whole numbers to a machine, and so is the next one. */
const HASHES = 2 ** 30;

export function pairHash(first: number, second: number): number {
  const low = Math.min(first, second);
  const high = Math.max(first, second);
  const mixed = Math.imul(Math.imul(low, 31) + high, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 2;
}

export function termHash(term: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash;
}

export function pairFilter(hashes: ArrayLike<number>): Uint8Array {
  if (hashes.length === 0) return new Uint8Array(0);
  const distinct = distinctOf(hashes);
  const filter = new Uint8Array(Math.max(Math.ceil(distinct.length * BYTES_PER_PAIR), LEAST_BYTES));
  const bits = filter.length * 8;
  for (let at = 0; at < distinct.length; at++) {
    const hash = distinct[at] as number;
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(hash, probe, bits);
      filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }
  return filter;
}

/** Texts repeat themselves, and a filter has the size for what it holds. */
function distinctOf(hashes: ArrayLike<number>): Int32Array {
  const distinct = new Int32Array(hashes.length);
  /** Open addressing: slot = low bits of the hash; stores hash + 1, probes linearly. */
  const seen = new Int32Array(2 ** Math.ceil(Math.log2(2 * hashes.length)));
  const mask = seen.length - 1;
  let count = 0;
  for (let at = 0; at < hashes.length; at++) {
    const hash = hashes[at] as number;
    let place = hash & mask;
    while (seen[place] !== 0 && seen[place] !== hash + 1) place = (place + 1) & mask;
    if (seen[place] !== 0) continue;
    seen[place] = hash + 1;
    distinct[count++] = hash;
  }
  return distinct.subarray(0, count);
}

/** Whether the filter in `bytes` from `start` to `end` contains a pair. */
export function holdsPair(bytes: Uint8Array, start: number, end: number, hash: number): boolean {
  const bits = (end - start) * 8;
  if (bits === 0) return false;
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(hash, probe, bits);
    if (((bytes[start + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** A product is several times faster than the remainder of a division. */
function bitOf(hash: number, probe: number, bits: number): number {
  const mixed = (hash + Math.imul(probe, Math.imul(hash, 0x9e3779b1))) & (HASHES - 1);
  return Math.floor(mixed * (bits / HASHES));
}

/** How many numbers a vector has. */
export const DIMENSIONS = 128;

/** How many fields a document has. */
export const FIELD_COUNT = 5;
