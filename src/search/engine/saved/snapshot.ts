import { eachSlice, type Steps } from "../../../catalog/steps.ts";
import { FIELD_COUNT } from "../index/fields.ts";
import { mergeSegments } from "../index/merge-segments.ts";
import { EMPTY_INDEX, indexOf, type SearchIndex } from "../index/search-index.ts";
import { fitsIn16Bits, type Segment } from "../index/segment.ts";
import { viewOf } from "../index/segment-view.ts";
import { termTable } from "../index/term-table.ts";
import { ANALYSER_VERSION } from "../words/analyse.ts";
import { type Checksums, createChecksums } from "./checksums.ts";
import { codeUnits, textOf, textsOf, unitsOfAll } from "./code-units.ts";
import { isWellFormed } from "./well-formed.ts";

/**
 * The index as bytes: a header (magic, version, length, two checksums) and the arrays of one segment, each after its
 * length in bytes, padded to four. In the byte order of the machine: a snapshot is a cache, not an exchange format,
 * and the magic number reads differently on a machine of the other order.
 */
const MAGIC = 0x534b4958;
const FORMAT_VERSION = 2;
const VERSION = FORMAT_VERSION * 0x10000 + ANALYSER_VERSION;
const HEADER_WORDS = 5;
const HEADER_BYTES = HEADER_WORDS * 4;

/** The bytes in pieces, most of them the index's own arrays: nothing large is copied. */
export function* serializeIndex(index: SearchIndex): Steps<readonly Uint8Array[]> {
  const sections = index.size === 0 ? [] : yield* sectionsOf(yield* wholeSegment(index));
  const pieces = sections.flatMap(piecesOf);
  const size = pieces.reduce((sum, piece) => sum + piece.byteLength, HEADER_BYTES);
  const checksums = createChecksums(size / 4);
  for (const piece of pieces) {
    yield* addWords(checksums, new Uint32Array(piece.buffer, piece.byteOffset, piece.byteLength / 4));
  }
  return [bytesOf(Uint32Array.of(MAGIC, VERSION, size, ...checksums.values())), ...pieces];
}

/**
 * Undefined for anything but the exact bytes that this version writes. Never throws. The index is a view of the bytes
 * where it can be, so nobody may write to them afterwards.
 */
export function* parseIndex(given: Uint8Array): Steps<SearchIndex | undefined> {
  if (given.byteLength < HEADER_BYTES || given.byteLength % 4 !== 0) return undefined;
  const bytes = given.byteOffset % 4 === 0 ? given : yield* copyOf(given);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const checksums = createChecksums(words.length);
  yield* addWords(checksums, words.subarray(HEADER_WORDS));
  const header = [MAGIC, VERSION, bytes.byteLength, ...checksums.values()];
  if (header.some((word, index) => words[index] !== word)) return undefined;
  if (bytes.byteLength === HEADER_BYTES) return EMPTY_INDEX;
  const segment = yield* readSegment(bytes, words);
  if (segment === undefined || !(yield* isWellFormed(segment))) return undefined;
  return yield* indexOf([yield* viewOf(segment)]);
}

function* wholeSegment({ views }: SearchIndex): Steps<Segment> {
  const [only] = views;
  return views.length === 1 && only !== undefined && only.deadCount === 0
    ? only.segment
    : yield* mergeSegments(views);
}

type Section = Uint8Array | Uint16Array | Uint32Array;

function* sectionsOf(segment: Segment): Steps<readonly Section[]> {
  return [
    Uint32Array.from(segment.ids, (id) => id.length),
    yield* unitsOfAll(segment.ids),
    ...segment.lengths,
    yield* codeUnits(segment.terms.text),
    segment.terms.starts,
    segment.postingStarts,
    segment.postingDocs,
    segment.postingCounts,
    segment.pairStarts,
    segment.pairs,
  ];
}

/** The length, the whole words, and the rest filled up to a word. */
function piecesOf(section: Section): readonly Uint8Array[] {
  const bytes = bytesOf(section);
  const whole = bytes.byteLength - (bytes.byteLength % 4);
  const length = bytesOf(Uint32Array.of(bytes.byteLength));
  if (whole === bytes.byteLength) return [length, bytes];
  const rest = new Uint8Array(4);
  rest.set(bytes.subarray(whole));
  return [length, bytes.subarray(0, whole), rest];
}

function bytesOf({ buffer, byteOffset, byteLength }: Section): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function* addWords(checksums: Checksums, words: Uint32Array): Steps<void> {
  yield* eachSlice(words.length, (from, to) => checksums.add(words, from, to));
}

function* copyOf(bytes: Uint8Array): Steps<Uint8Array> {
  const copy = new Uint8Array(bytes.byteLength);
  yield* eachSlice(bytes.byteLength, (from, to) => copy.set(bytes.subarray(from, to), from));
  return copy;
}

function* readSegment(
  { buffer, byteOffset, byteLength }: Uint8Array,
  words: Uint32Array,
): Steps<Segment | undefined> {
  let at = HEADER_BYTES;
  let whole = true;
  const next = (bytesEach: 1 | 2 | 4): readonly [start: number, count: number] => {
    const length = words[at / 4] ?? 0;
    const start = at + 4;
    if (start + padded(length) > byteLength || length % bytesEach !== 0) {
      whole = false;
      return [byteOffset, 0];
    }
    at = start + padded(length);
    return [byteOffset + start, length / bytesEach];
  };
  const read8 = (): Uint8Array => new Uint8Array(buffer, ...next(1));
  const read16 = (): Uint16Array => new Uint16Array(buffer, ...next(2));
  const read32 = (): Uint32Array => new Uint32Array(buffer, ...next(4));
  const idLengths = read32();
  const idUnits = read16();
  const lengths = Array.from({ length: FIELD_COUNT }, read16);
  const termUnits = read16();
  const starts = read32();
  const postings = {
    postingStarts: read32(),
    postingDocs: fitsIn16Bits(idLengths.length) ? read16() : read32(),
    postingCounts: read16(),
  };
  const pairs = { pairStarts: read32(), pairs: read8() };
  if (!whole || at !== byteLength) return undefined;
  return {
    ids: yield* textsOf(idUnits, idLengths),
    lengths,
    terms: yield* termTable(yield* textOf(termUnits), starts),
    ...postings,
    ...pairs,
  };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
