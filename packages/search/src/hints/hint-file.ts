import path from "node:path";
import { type Fingerprint, fingerprintAt, ownFolderIn, VERSION } from "#util";
import { shortHash } from "#util/pure";
import { EMPTY_INDEX, type SearchIndex } from "../engine/index/search-index.ts";
import { FIELD_COUNT, fitsIn16Bits, type Segment } from "../engine/index/segment.ts";
import { ANALYSER_VERSION } from "../engine/words/analyse.ts";

/** A skill that may be suggested, as the file has it: one list each, because there are many. */
export type HintSkill = readonly [
  id: string,
  name: string,
  file: string,
  fingerprint: Fingerprint | null,
  isNative: boolean,
  isProject: boolean,
];

type CheckedPlace = readonly [place: string, fingerprint: Fingerprint | null];

/** Everything but the index that a suggestion needs. */
export interface HintHead {
  /** Files that decide which skills may be suggested at all. After a change of one, nothing is. */
  readonly settings: readonly CheckedPlace[];
  /** Folders that decide which skills there are. After a change of one, the index is written again. */
  readonly places: readonly CheckedPlace[];
  readonly hasProjectFile: boolean;
  /** Whether suggestions are recorded in the usage history. */
  readonly history: boolean;
  readonly synonyms: readonly (readonly [string, readonly string[]])[];
}

export interface Hints {
  readonly head: HintHead;
  readonly index: SearchIndex;
  /** The skill of an id. */
  find(id: string): HintSkill | undefined;
}

interface NewHints {
  readonly head: HintHead;
  readonly skills: readonly HintSkill[];
  /** An index of one segment, or an empty one. */
  readonly index: SearchIndex;
}

const MAGIC = `skills-mcp hints 4.${ANALYSER_VERSION} ${VERSION} `;
/** The first line: the version, and the size of the file. */
const FIRST_LINE = MAGIC.length + 13;

/** Which file has the hints: for one agent with its flags, in one folder. */
export function hintFiles(home: string, client: string, flags: readonly string[]) {
  const folder = path.join(ownFolderIn(home), "cache");
  const prefix = `hints-${shortHash(JSON.stringify([VERSION, client, flags]))}-`;
  return { folder, prefix, forFolder: (cwd: string) => path.join(folder, `${prefix}${shortHash(cwd)}.idx`) };
}

/** The second line. */
interface HintContent {
  readonly head: HintHead;
  readonly ids: readonly string[];
  readonly words: number;
  /** How many bytes each array has, in order. */
  readonly lengths: readonly number[];
}

/**
 * The content of the file: a line with the version and the size, a line of JSON, and arrays that each begin at a multiple of four
 * bytes: where each skill begins, those of the index, and JSON for each skill in the order of the index. The arrays are in the
 * byte order of the machine, which the file never leaves. A format of its own: the one of `cache/index-cache.ts`, with a digest and
 * without norms, takes `hook run` a third longer.
 */
export function formatHints({ head, skills, index }: NewHints): readonly Uint8Array[] {
  const segment = index.views[0]?.segment;
  const ids = segment?.ids ?? [];
  const byId = new Map(skills.map((skill) => [skill[0], skill]));
  const texts = ids.map((id) => Buffer.from(`${JSON.stringify(byId.get(id))}\n`));
  const starts = new Uint32Array(ids.length + 1);
  for (const [number, text] of texts.entries()) starts[number + 1] = (starts[number] ?? 0) + text.length;
  const arrays = [starts, ...(segment === undefined ? [] : arraysOf(index, segment)), Buffer.concat(texts)];
  const lengths = arrays.map(({ byteLength }) => byteLength);
  const content = Buffer.from(
    `${JSON.stringify({ head, ids, words: index.words, lengths } satisfies HintContent)}\n`,
  );
  const parts: Buffer[] = [Buffer.alloc(-(FIRST_LINE + content.length) & 3)];
  for (const { buffer, byteOffset, byteLength } of arrays)
    parts.push(Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(-byteLength & 3));
  const size = parts.reduce((sum, { length }) => sum + length, FIRST_LINE + content.length);
  return [Buffer.from(`${MAGIC}${String(size).padStart(12)}\n`), content, ...parts];
}

/** UTF-16, because a term may hold half a surrogate pair, which UTF-8 cannot. */
function arraysOf({ norms }: SearchIndex, segment: Segment) {
  const { lengths, terms, postingStarts, postingDocs, postingCounts, pairStarts, pairs } = segment;
  const text = Buffer.from(terms.text, "utf16le");
  return [
    ...[...norms, ...lengths, text, terms.starts],
    ...[postingStarts, postingDocs, postingCounts, pairStarts, pairs],
  ];
}

/** Reads what `formatHints` of this version wrote; undefined for anything else. The index is a view of the bytes. */
export function parseHints(file: Buffer): Hints | undefined {
  if (file.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  if (Number(file.toString("latin1", MAGIC.length, FIRST_LINE)) !== file.length) return undefined;
  const end = file.indexOf("\n", FIRST_LINE) + 1;
  const { head, ids, words, lengths } = JSON.parse(file.toString("utf8", FIRST_LINE, end)) as HintContent;
  const take = arrayReader(file, end, lengths);
  const starts = take(Uint32Array);
  const index = ids.length === 0 ? EMPTY_INDEX : readIndex(ids, words, take);
  const skills = take(Uint8Array);
  return {
    head,
    index,
    find(id) {
      const number = ids.indexOf(id);
      if (number === -1) return undefined;
      const text = Buffer.from(skills.subarray(starts[number], starts[number + 1])).toString();
      return JSON.parse(text) as HintSkill;
    },
  };
}

interface ArrayKind<Kind> {
  new (buffer: ArrayBufferLike, start: number, count: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}

type TakeArray = <Kind>(Type: ArrayKind<Kind>) => Kind;

/** Returns a function that gives one array after the other, as views of the file. */
function arrayReader(file: Buffer, from: number, lengths: readonly number[]): TakeArray {
  // Arrays of numbers must begin at a multiple of four.
  const bytes = file.byteOffset % 4 === 0 ? file : Uint8Array.from(file);
  let at = from + (-from & 3);
  let next = 0;
  return (Type) => {
    const start = at;
    const length = lengths[next++] ?? 0;
    at += length + (-length & 3);
    return new Type(bytes.buffer, bytes.byteOffset + start, length / Type.BYTES_PER_ELEMENT);
  };
}

/** Takes what `arraysOf` lists. The norms could be worked out from the rest, which takes a process that runs once too long. */
function readIndex(ids: readonly string[], words: number, take: TakeArray): SearchIndex {
  const norms = Array.from({ length: FIELD_COUNT }, () => take(Float32Array));
  const lengths = Array.from({ length: FIELD_COUNT }, () => take(Uint16Array));
  const text = Buffer.from(take(Uint8Array)).toString("utf16le");
  const segment: Segment = {
    ids,
    lengths,
    terms: { text, starts: take(Uint32Array) },
    postingStarts: take(Uint32Array),
    postingDocs: fitsIn16Bits(ids.length) ? take(Uint16Array) : take(Uint32Array),
    postingCounts: take(Uint16Array),
    pairStarts: take(Uint32Array),
    pairs: take(Uint8Array),
    heads: new Int8Array(0),
    signs: new Uint32Array(0),
    passageStarts: new Uint32Array(0),
    passages: new Int8Array(0),
  };
  // Only an index that is edited needs the sums.
  const sums = { headSum: new Float64Array(0), lengthSums: [], longest: [] };
  const view = { segment, dead: null, deadCount: 0, ...sums };
  return { size: ids.length, words, views: [view], norms, table: undefined };
}

export function checkPlaces(places: readonly string[]): readonly CheckedPlace[] {
  return places.map((place) => [place, fingerprintAt(place)]);
}

export function isUnchanged(places: readonly CheckedPlace[]): boolean {
  return places.every(([place, before]) => fingerprintAt(place) === before);
}
