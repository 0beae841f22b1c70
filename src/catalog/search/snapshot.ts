import { ANALYSER_VERSION } from "./analyse.ts";
import { FIELD_COUNT } from "./fields.ts";
import { mergeSegments } from "./merge-segments.ts";
import { EMPTY_INDEX, indexOf, type SearchIndex } from "./search-index.ts";
import type { Segment } from "./segment.ts";
import { termTable } from "./term-table.ts";
import { isWellFormed } from "./well-formed.ts";

/**
 * The index as bytes: a header (magic, version, length, two checksums) and the arrays of one segment, each after its
 * length in bytes, padded to four. In the byte order of the machine: a snapshot is a cache, not an exchange format,
 * and the magic number reads differently on a machine of the other order.
 */
const MAGIC = 0x534b4958;
const FORMAT_VERSION = 1;
const VERSION = FORMAT_VERSION * 0x10000 + ANALYSER_VERSION;
const HEADER_WORDS = 5;
const HEADER_BYTES = HEADER_WORDS * 4;

export function serializeIndex(index: SearchIndex): Uint8Array {
  const sections = index.size === 0 ? [] : sectionsOf(wholeSegment(index));
  const size = sections.reduce((sum, section) => sum + 4 + padded(section.byteLength), HEADER_BYTES);
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer);
  let at = HEADER_BYTES;
  for (const section of sections) {
    words[at / 4] = section.byteLength;
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at + 4);
    at += 4 + padded(section.byteLength);
  }
  words.set([MAGIC, VERSION, size, ...checksums(words)]);
  return bytes;
}

/** Undefined for anything but the exact bytes that this version writes. Never throws. */
export function parseIndex(bytes: Uint8Array): SearchIndex | undefined {
  if (bytes.byteLength < HEADER_BYTES || bytes.byteLength % 4 !== 0) return undefined;
  // A copy: the arrays below are views of it, which must begin at a multiple of four and outlive the caller's buffer.
  const { buffer } = Uint8Array.from(bytes);
  const words = new Uint32Array(buffer);
  const [first, second] = checksums(words);
  const header = [MAGIC, VERSION, bytes.byteLength, first, second];
  if (header.some((word, index) => words[index] !== word)) return undefined;
  if (bytes.byteLength === HEADER_BYTES) return EMPTY_INDEX;
  const segment = readSegment(buffer, words);
  if (segment === undefined || !isWellFormed(segment)) return undefined;
  return indexOf([{ segment, dead: null, deadCount: 0 }]);
}

function wholeSegment({ views }: SearchIndex): Segment {
  const [only] = views;
  return views.length === 1 && only !== undefined && only.deadCount === 0
    ? only.segment
    : mergeSegments(views);
}

type Section = Uint8Array | Uint16Array | Uint32Array;

function sectionsOf(segment: Segment): readonly Section[] {
  return [
    Uint32Array.from(segment.ids, (id) => id.length),
    codeUnits(segment.ids.join("")),
    ...segment.lengths,
    codeUnits(segment.terms.text),
    segment.terms.starts,
    segment.postingStarts,
    segment.postingDocs,
    segment.postingCounts,
    segment.pairStarts,
    segment.pairs,
  ];
}

function readSegment(buffer: ArrayBuffer, words: Uint32Array): Segment | undefined {
  let at = HEADER_BYTES;
  let whole = true;
  const next = (bytesEach: 1 | 2 | 4): { readonly start: number; readonly count: number } => {
    const length = words[at / 4] ?? 0;
    const start = at + 4;
    if (start + padded(length) > buffer.byteLength || length % bytesEach !== 0) {
      whole = false;
      return { start: 0, count: 0 };
    }
    at = start + padded(length);
    return { start, count: length / bytesEach };
  };
  const read8 = (): Uint8Array => {
    const { start, count } = next(1);
    return new Uint8Array(buffer, start, count);
  };
  const read16 = (): Uint16Array => {
    const { start, count } = next(2);
    return new Uint16Array(buffer, start, count);
  };
  const read32 = (): Uint32Array => {
    const { start, count } = next(4);
    return new Uint32Array(buffer, start, count);
  };
  const idLengths = read32();
  const idText = read16();
  const lengths = Array.from({ length: FIELD_COUNT }, read16);
  const text = textOf(read16());
  const starts = read32();
  const postings = { postingStarts: read32(), postingDocs: read32(), postingCounts: read16() };
  const pairs = { pairStarts: read32(), pairs: read8() };
  if (!whole || at !== buffer.byteLength) return undefined;
  const terms = termTable(text, starts);
  return { ids: cutText(textOf(idText), idLengths), lengths, terms, ...postings, ...pairs };
}

function cutText(text: string, lengths: Uint32Array): readonly string[] {
  let end = 0;
  return Array.from(lengths, (length) => {
    end += length;
    return text.slice(end - length, end);
  });
}

/** UTF-16 as it is in memory: a name may hold half a surrogate pair, which UTF-8 cannot. */
function codeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/** In slices, as a call takes a limited number of arguments. */
function textOf(units: Uint16Array): string {
  const slices: string[] = [];
  for (let start = 0; start < units.length; start += 8192) {
    slices.push(String.fromCharCode(...units.subarray(start, start + 8192)));
  }
  return slices.join("");
}

/** Two independent mixes of every word after the header: enough to tell damage, no defence against forgery. */
function checksums(words: Uint32Array): readonly [number, number] {
  let first = 0x811c9dc5;
  let second = words.length;
  for (let index = HEADER_WORDS; index < words.length; index++) {
    const word = words[index] ?? 0;
    first = Math.imul(first ^ word, 0x01000193);
    first ^= first >>> 15;
    second = (Math.imul(second, 0x85ebca6b) + word) | 0;
  }
  return [first >>> 0, second >>> 0];
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
