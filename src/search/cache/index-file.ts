import { createHash } from "node:crypto";
import { endianness } from "node:os";
import { createTimeSlices, runSteps, type TimeSlices } from "../../system/tasks/time-slice.ts";
import type { IndexedSkills } from "../current-index.ts";
import { FIELD_COUNT } from "../engine/index/fields.ts";
import { EMPTY_INDEX, indexOfSegment, type SearchIndex, wholeSegment } from "../engine/index/search-index.ts";
import { fitsIn16Bits, type Segment } from "../engine/index/segment.ts";
import { ANALYSER_VERSION } from "../engine/words/analyse.ts";

/**
 * The content of the file: a line with the version and the byte order, a digest of the rest, lines of JSON (fingerprints by
 * id; the ids by document number; the length of each array), and the arrays of one segment, each padded to four bytes. The
 * arrays are in the byte order of the machine, because the file is a cache and never leaves it.
 */
const MAGIC = `skills-mcp search index 3.${ANALYSER_VERSION} ${endianness()}\n`;
const DIGEST_LENGTH = 64;
const HEAD_LENGTH = MAGIC.length + DIGEST_LENGTH + 1;

// Ten thousand skills have an index of twenty megabytes: the work yields to the event loop in between.
const ENTRIES_PER_LINE = 500;
const DIGESTED_AT_ONCE = 256 * 1024;

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** In pieces, most of them the index's own arrays: nothing large is copied. */
export async function formatIndexFile({
  index,
  fingerprints,
}: IndexedSkills): Promise<readonly Uint8Array[]> {
  const slices = createTimeSlices();
  const segment = index.size === 0 ? undefined : await runSteps(wholeSegment(index), slices);
  const arrays = segment === undefined ? [] : arraysOf(segment);
  const content: Uint8Array[] = [];
  for (const list of [[...fingerprints], segment?.ids ?? [], arrays.map(({ byteLength }) => byteLength)]) {
    for (const line of jsonLines(list)) {
      content.push(Buffer.from(line));
      await slices.yieldIfDue();
    }
  }
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, HEAD_LENGTH);
  content.push(padding(length));
  for (const array of arrays) content.push(bytesOf(array), padding(array.byteLength));
  return [Buffer.from(`${MAGIC}${await digestOf(content, slices)}\n`), ...content];
}

/** Undefined for anything that `formatIndexFile` did not write. The index is a view of the bytes. */
export async function parseIndexFile(file: Buffer): Promise<IndexedSkills | undefined> {
  const slices = createTimeSlices();
  // Arrays of numbers must begin at a multiple of four.
  const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(Uint8Array.from(file).buffer);
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const digest = bytes.toString("latin1", MAGIC.length, HEAD_LENGTH);
  if (digest !== `${await digestOf([bytes.subarray(HEAD_LENGTH)], slices)}\n`) return undefined;
  const reader = createReader(bytes);
  const lists: unknown[][] = [[], [], []];
  for (const list of lists) {
    for (const line of reader.lines()) {
      list.push(...line);
      await slices.yieldIfDue();
    }
  }
  const [fingerprints, ids, lengths] = lists as [[string, string][], string[], number[]];
  const index = ids.length === 0 ? EMPTY_INDEX : readIndex(ids, reader.arrays(lengths));
  return { fingerprints: new Map(fingerprints), index };
}

/** Some entries on each line, and a blank line at the end. */
function* jsonLines(list: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < list.length; from += ENTRIES_PER_LINE) {
    yield `${JSON.stringify(list.slice(from, from + ENTRIES_PER_LINE))}\n`;
  }
  yield "\n";
}

function arraysOf(segment: Segment): readonly Numbers[] {
  const { lengths, terms, postingStarts, postingDocs, postingCounts, pairStarts, pairs } = segment;
  // UTF-16, because a term may hold half a surrogate pair, which UTF-8 cannot.
  const text = Buffer.from(terms.text, "utf16le");
  return [...lengths, text, terms.starts, postingStarts, postingDocs, postingCounts, pairStarts, pairs];
}

type ReadArray = <Kind>(
  Type: new (buffer: ArrayBufferLike, start: number, count: number) => Kind,
  size: number,
) => Kind;

/** The arrays in the order of `arraysOf`. */
function readIndex(ids: readonly string[], read: ReadArray): SearchIndex {
  const lengths = Array.from({ length: FIELD_COUNT }, () => read(Uint16Array, 2));
  const text = Buffer.from(read(Uint8Array, 1));
  const starts = read(Uint32Array, 4);
  const postingStarts = read(Uint32Array, 4);
  return indexOfSegment({
    ids,
    lengths,
    terms: { text: text.toString("utf16le"), starts },
    postingStarts,
    postingDocs: fitsIn16Bits(ids.length) ? read(Uint16Array, 2) : read(Uint32Array, 4),
    postingCounts: read(Uint16Array, 2),
    pairStarts: read(Uint32Array, 4),
    pairs: read(Uint8Array, 1),
  });
}

function createReader(bytes: Buffer) {
  let at = HEAD_LENGTH;
  return {
    /** Up to the next blank line. */
    *lines(): Iterable<readonly unknown[]> {
      for (;;) {
        const end = bytes.indexOf("\n", at);
        const line = bytes.toString("utf8", at, end);
        at = end + 1;
        if (line === "") return;
        yield JSON.parse(line) as readonly unknown[];
      }
    },
    arrays(lengths: readonly number[]): ReadArray {
      const rest = [...lengths];
      at += padding(at).length;
      return (Type, size) => {
        const start = at;
        const length = rest.shift() ?? 0;
        at += length + padding(length).length;
        return new Type(bytes.buffer, bytes.byteOffset + start, length / size);
      };
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What fills up a length to a multiple of four. */
function padding(length: number): Uint8Array {
  return new Uint8Array(-length & 3);
}

async function digestOf(parts: readonly Uint8Array[], slices: TimeSlices): Promise<string> {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (let from = 0; from < part.length; from += DIGESTED_AT_ONCE) {
      hash.update(part.subarray(from, from + DIGESTED_AT_ONCE));
      await slices.yieldIfDue();
    }
  }
  return hash.digest("hex");
}
