import path from "node:path";
import { type Fingerprint, fingerprintAt, ownFolderIn, VERSION } from "#util";
import { shortHash } from "#util/pure";
import { EMPTY_INDEX, type SearchIndex } from "../engine/index/search-index.ts";
import { ANALYSER_VERSION } from "../engine/words/analyse.ts";
import { largeArrays, placesOf, type ReadFrom, readIndex, smallArrays } from "./hint-index.ts";

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
  /** Of one segment, or empty. */
  readonly index: SearchIndex;
}

const MAGIC = `skills-mcp hints 3.${ANALYSER_VERSION} ${VERSION} `;
/** The first line: how many bytes are read at once. */
const FIRST_LINE = MAGIC.length + 13;

/** Which file has the hints: for one agent with its flags, in one folder. */
export function hintFiles(home: string, client: string, flags: readonly string[]) {
  const folder = path.join(ownFolderIn(home), "cache");
  const prefix = `hints-${shortHash(JSON.stringify([VERSION, client, flags]))}-`;
  return { folder, prefix, forFolder: (cwd: string) => path.join(folder, `${prefix}${shortHash(cwd)}.idx`) };
}

/** The second line. */
interface Content {
  readonly head: HintHead;
  readonly ids: readonly string[];
  readonly words: number;
  /** The lengths of the arrays, and of the skills behind them. */
  readonly lengths: readonly number[];
}

/**
 * A line with the version and how much of the file is read at once, a line of JSON, blanks up to a multiple of four bytes,
 * where each skill begins, arrays of the index that are read at once, those that are read in part, and JSON for each skill of
 * the index, in its order. Arrays are in the byte order of the machine, which the file never leaves.
 */
export function formatHints({ head, skills, index }: NewHints): readonly Uint8Array[] {
  const segment = index.views[0]?.segment;
  const ids = segment?.ids ?? [];
  const byId = new Map(skills.map((skill) => [skill[0], skill]));
  const texts = ids.map((id) => Buffer.from(`${JSON.stringify(byId.get(id))}\n`));
  const starts = new Uint32Array(ids.length + 1);
  for (const [number, text] of texts.entries()) starts[number + 1] = (starts[number] ?? 0) + text.length;
  const small = [starts, ...(segment === undefined ? [] : smallArrays(index, segment))];
  const large = segment === undefined ? [] : largeArrays(segment);
  const lines = Buffer.concat(texts);
  const lengths = [...small, ...large, lines].map(({ byteLength }) => byteLength);
  const content = Buffer.from(
    `${JSON.stringify({ head, ids, words: index.words, lengths } satisfies Content)}\n`,
  );
  const start = FIRST_LINE + content.length;
  const padding = Buffer.alloc(-start & 3, " ");
  const places = placesOf(lengths, start + padding.length);
  const atOnce = places[small.length]?.start ?? 0;
  const first = Buffer.from(`${MAGIC}${String(atOnce).padStart(12)}\n`);
  const arrays = [...small, ...large].flatMap(({ buffer, byteOffset, byteLength }) => [
    new Uint8Array(buffer, byteOffset, byteLength),
    new Uint8Array(-byteLength & 3),
  ]);
  return [first, content, padding, ...arrays, lines];
}

/** Undefined for anything that `formatHints` of this version did not write. Nobody else writes the file, and it is replaced whole. */
export function parseHints(read: ReadFrom, size: number): Hints | undefined {
  const line = Buffer.alloc(FIRST_LINE);
  read(line, 0);
  if (line.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const atOnce = Number(line.toString("latin1", MAGIC.length));
  if (atOnce > size) return undefined;
  const bytes = new Uint8Array(atOnce);
  read(bytes, 0);
  const end = bytes.indexOf(10, FIRST_LINE) + 1;
  const { head, ids, words, lengths } = JSON.parse(
    Buffer.from(bytes.buffer).toString("utf8", FIRST_LINE, end),
  ) as Content;
  const [skills, ...arrays] = placesOf(lengths, end + (-end & 3));
  const lines = arrays.at(-1);
  if (skills === undefined || lines === undefined || lines.start + lines.length !== size) return undefined;
  const starts = new Uint32Array(bytes.buffer, skills.start, ids.length + 1);
  return {
    head,
    index: ids.length === 0 ? EMPTY_INDEX : readIndex(ids, words, bytes, arrays, read),
    find(id) {
      const number = ids.indexOf(id);
      if (number === -1) return undefined;
      const start = starts[number] as number;
      const skill = Buffer.alloc((starts[number + 1] as number) - start);
      read(skill, lines.start + start);
      return JSON.parse(skill.toString()) as HintSkill;
    },
  };
}

export function checkPlaces(places: readonly string[]): readonly CheckedPlace[] {
  return places.map((place) => [place, fingerprintAt(place)]);
}

export function isUnchanged(places: readonly CheckedPlace[]): boolean {
  return places.every(([place, before]) => fingerprintAt(place) === before);
}
