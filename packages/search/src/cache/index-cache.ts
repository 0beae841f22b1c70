import { open, readFile } from "node:fs/promises";
import { endianness } from "node:os";
import path from "node:path";
import { createTimeSlices, replaceCacheFile, runSteps, sha256, type TimeSlices } from "#util";
import { emptyIndex, indexOfSegment, wholeSegment } from "../engine/index/search-index.ts";
import { FIELD_COUNT, fitsIn16Bits, type Segment } from "../engine/index/segment.ts";
import type { WordTable } from "../engine/meaning/embed.ts";
import { ANALYSER_VERSION } from "../engine/words/analyse.ts";
import type { Fingerprints, IndexCache, IndexedSkills } from "../search-engine.ts";

/** Fewer skills than this are indexed faster than a file is read. */
const FEWEST_SKILLS = 500;
/** An edit must not cause a write of the whole index; the next start compares every fingerprint anyway. */
const LEAST_MS_BETWEEN_SAVES = 60_000;
const READ_AT_ONCE = 1024 * 1024;

interface IndexCacheOptions {
  readonly folder: string;
  /** What decides which skills are seen: another view has another file. */
  readonly view: string;
  readonly now: () => number;
}

export function createIndexCache({ folder, view, now }: IndexCacheOptions): IndexCache {
  const name = sha256(view).toString("hex").slice(0, 16);
  const file = path.join(folder, `search-${name}.idx`);
  let lastSave = Number.NEGATIVE_INFINITY;

  return {
    async load(table) {
      try {
        return await parseIndexFile(await readFile(file), table);
      } catch {
        return undefined;
      }
    },
    async has(fingerprints) {
      try {
        return await hasFingerprints(await readBeginning(file), fingerprints);
      } catch {
        return false;
      }
    },
    async save(indexed) {
      if (indexed.index.size < FEWEST_SKILLS || now() - lastSave < LEAST_MS_BETWEEN_SAVES) return;
      lastSave = now();
      await replaceCacheFile(file, () => formatIndexFile(indexed), now());
    },
  };
}

/** An index file as far as its fingerprints go: a small part of it. */
async function readBeginning(file: string): Promise<Buffer> {
  const handle = await open(file);
  let beginning = Buffer.alloc(0);
  // Ends with the loop, and closes the file.
  for await (const chunk of handle.createReadStream({ highWaterMark: READ_AT_ONCE })) {
    beginning = Buffer.concat([beginning, chunk as Buffer]);
    if (tellsFingerprints(beginning)) break;
  }
  return beginning;
}

const FORMAT = `skills-mcp search index 4.${ANALYSER_VERSION} `;

/**
 * The content of the file: a line with the versions of the format, the analyser and the word table, and the byte order; a digest of the rest, lines of JSON (fingerprints by
 * id; the ids by document number; the length of each array), and the arrays of one segment, each padded to four bytes. The
 * arrays are in the byte order of the machine, because the file is a cache and never leaves it.
 */
function magicOf(table: WordTable | undefined): string {
  return `${FORMAT}${table?.version ?? "words alone"} ${endianness()}\n`;
}

const DIGEST_LENGTH = 64;

// Ten thousand skills have an index of twenty megabytes: the work yields to the event loop in between.
const ENTRIES_PER_LINE = 500;
const DIGESTED_AT_ONCE = 256 * 1024;

type NumberArray = Int8Array | Uint8Array | Uint16Array | Uint32Array;

/** In pieces, most of them the index's own arrays: nothing large is copied. */
export async function formatIndexFile({
  index,
  fingerprints,
}: IndexedSkills): Promise<readonly Uint8Array[]> {
  const slices = createTimeSlices();
  const magic = magicOf(index.table);
  const segment = index.size === 0 ? undefined : await runSteps(wholeSegment(index), slices);
  const arrays = segment === undefined ? [] : arraysOf(segment);
  const content: Uint8Array[] = [];
  for (const list of [[...fingerprints], segment?.ids ?? [], arrays.map(({ byteLength }) => byteLength)]) {
    for (const line of jsonLines(list)) {
      content.push(Buffer.from(line));
      await slices.yieldIfDue();
    }
  }
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, magic.length + DIGEST_LENGTH + 1);
  content.push(padding(length));
  for (const array of arrays) content.push(bytesOf(array), padding(array.byteLength));
  return [Buffer.from(`${magic}${await digestOf(content, slices)}\n`), ...content];
}

/**
 * Reads what `formatIndexFile` wrote with the same word table; undefined for anything else. The index is a view of the bytes.
 */
export async function parseIndexFile(file: Buffer, table?: WordTable): Promise<IndexedSkills | undefined> {
  const slices = createTimeSlices();
  // Arrays of numbers must begin at a multiple of four.
  const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(Uint8Array.from(file).buffer);
  const magic = magicOf(table);
  const headLength = magic.length + DIGEST_LENGTH + 1;
  if (bytes.toString("latin1", 0, magic.length) !== magic) return undefined;
  const digest = bytes.toString("latin1", magic.length, headLength);
  if (digest !== `${await digestOf([bytes.subarray(headLength)], slices)}\n`) return undefined;
  const reader = createReader(bytes, headLength);
  const lists: unknown[][] = [[], [], []];
  for (const list of lists) {
    for (const line of reader.lines()) {
      list.push(...line);
      await slices.yieldIfDue();
    }
  }
  const [fingerprints, ids, lengths] = lists as [[string, string][], string[], number[]];
  const index =
    ids.length === 0
      ? emptyIndex(table)
      : await runSteps(indexOfSegment(readSegment(ids, reader.arrays(lengths)), table), slices);
  return { fingerprints: new Map(fingerprints), index };
}

/** Whether the beginning of a file is long enough for `hasFingerprints`. */
function tellsFingerprints(beginning: Buffer): boolean {
  return !isOfFormat(beginning) || endOfFingerprints(beginning) !== -1;
}

function isOfFormat(file: Buffer): boolean {
  return file.toString("latin1", 0, FORMAT.length) === FORMAT;
}

/** A blank line: neither of the two lines before the list is one. */
function endOfFingerprints(file: Buffer): number {
  return file.indexOf("\n\n");
}

/**
 * Whether a file, of which the beginning is enough, is of this format and has exactly these fingerprints. Its digest and its word
 * table are not checked: if `parseIndexFile` refuses it later, the index is built then.
 */
async function hasFingerprints(file: Buffer, fingerprints: Fingerprints): Promise<boolean> {
  if (!isOfFormat(file)) return false;
  const slices = createTimeSlices();
  const [, , ...lines] = file.toString("utf8", 0, endOfFingerprints(file)).split("\n");
  let count = 0;
  for (const line of lines) {
    const entries = JSON.parse(line) as readonly [string, string][];
    if (!entries.every(([id, fingerprint]) => fingerprints.get(id) === fingerprint)) return false;
    count += entries.length;
    await slices.yieldIfDue();
  }
  return count === fingerprints.size;
}

/** Some entries on each line, and a blank line at the end. */
function* jsonLines(list: readonly unknown[]): Iterable<string> {
  for (let from = 0; from < list.length; from += ENTRIES_PER_LINE) {
    yield `${JSON.stringify(list.slice(from, from + ENTRIES_PER_LINE))}\n`;
  }
  yield "\n";
}

function arraysOf(segment: Segment): readonly NumberArray[] {
  const { lengths, terms, postingStarts, postingDocs, postingCounts, pairStarts, pairs } = segment;
  const { heads, signs, passageStarts, passages } = segment;
  // UTF-16, because a term may hold half a surrogate pair, which UTF-8 cannot.
  const text = Buffer.from(terms.text, "utf16le");
  return [
    ...[...lengths, text, terms.starts, postingStarts, postingDocs, postingCounts, pairStarts, pairs],
    ...[heads, signs, passageStarts, passages],
  ];
}

type ReadArray = <Kind>(
  Type: new (buffer: ArrayBufferLike, start: number, count: number) => Kind,
  size: number,
) => Kind;

/** The arrays in the order of `arraysOf`. */
function readSegment(ids: readonly string[], read: ReadArray): Segment {
  const lengths = Array.from({ length: FIELD_COUNT }, () => read(Uint16Array, 2));
  const text = Buffer.from(read(Uint8Array, 1));
  const starts = read(Uint32Array, 4);
  const postingStarts = read(Uint32Array, 4);
  return {
    ids,
    lengths,
    terms: { text: text.toString("utf16le"), starts },
    postingStarts,
    postingDocs: fitsIn16Bits(ids.length) ? read(Uint16Array, 2) : read(Uint32Array, 4),
    postingCounts: read(Uint16Array, 2),
    pairStarts: read(Uint32Array, 4),
    pairs: read(Uint8Array, 1),
    heads: read(Int8Array, 1),
    signs: read(Uint32Array, 4),
    passageStarts: read(Uint32Array, 4),
    passages: read(Int8Array, 1),
  };
}

function createReader(bytes: Buffer, start: number) {
  let at = start;
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

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What fills up a length to a multiple of four. */
function padding(length: number): Uint8Array {
  return new Uint8Array(-length & 3);
}

async function digestOf(parts: readonly Uint8Array[], slices: TimeSlices): Promise<string> {
  // Loaded here: who compares no digest does not need it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256");
  for (const part of parts) {
    for (let from = 0; from < part.length; from += DIGESTED_AT_ONCE) {
      hash.update(part.subarray(from, from + DIGESTED_AT_ONCE));
      await slices.yieldIfDue();
    }
  }
  return hash.digest("hex");
}
