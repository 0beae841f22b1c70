import { type Stats, statSync } from "node:fs";
import path from "node:path";
import { formatIndexFile, parseIndexFile } from "../../search/cache/index-file.ts";
import type { SearchIndex } from "../../search/engine/index/search-index.ts";
import { type Fingerprint, fingerprintOf } from "../../system/files/fingerprint.ts";
import { shortHash } from "../../system/hash.ts";
import { VERSION } from "../../version.ts";

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

interface NewHints extends Omit<Hints, "find"> {
  readonly skills: readonly HintSkill[];
}

const MAGIC = `skills-mcp hints 1 ${VERSION}\n`;

/** Which file has the hints: for one agent with its flags, in one folder. */
export function hintFiles(home: string, client: string, flags: readonly string[]) {
  const folder = path.join(home, ".skills-mcp", "cache");
  const prefix = `hints-${shortHash(JSON.stringify([VERSION, client, flags]))}-`;
  return { folder, prefix, forFolder: (cwd: string) => path.join(folder, `${prefix}${shortHash(cwd)}.idx`) };
}

/**
 * A line with the version and the length of the skills, a line of JSON, a line of JSON for each skill, a blank line, blanks up
 * to a multiple of four bytes, and the index.
 */
export async function formatHints({ head, skills, index }: NewHints): Promise<readonly Uint8Array[]> {
  const lines = [JSON.stringify(head), ...skills.map((skill) => JSON.stringify(skill))];
  const text = Buffer.from(`${MAGIC}${lines.join("\n")}\n\n`);
  const padding = Buffer.alloc(-text.length & 3, " ");
  return [text, padding, ...(await formatIndexFile({ index, fingerprints: new Map() }))];
}

/** Undefined for anything that `formatHints` of this version did not write. Of the skills only those asked for are parsed. */
export async function parseHints(bytes: Buffer): Promise<Hints | undefined> {
  if (bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const end = bytes.indexOf("\n", MAGIC.length);
  const blank = bytes.indexOf("\n\n", end);
  if (end === -1 || blank === -1) return undefined;
  const start = blank + 2;
  // Nobody else writes the file, and it is replaced whole.
  const index = await parseIndexFile(bytes.subarray(start + (-start & 3)), undefined, { isChecked: true });
  if (index === undefined) return undefined;
  const skills = bytes.subarray(end, blank + 1);
  return {
    head: JSON.parse(bytes.toString("utf8", MAGIC.length, end)) as HintHead,
    index: index.index,
    find(id) {
      const at = skills.indexOf(`\n[${JSON.stringify(id)},`);
      if (at === -1) return undefined;
      return JSON.parse(skills.toString("utf8", at + 1, skills.indexOf("\n", at + 1))) as HintSkill;
    },
  };
}

export function checkPlaces(places: readonly string[]): readonly CheckedPlace[] {
  return places.map((place) => [place, fingerprintAt(place)]);
}

export function isUnchanged(places: readonly CheckedPlace[]): boolean {
  return places.every(([place, before]) => fingerprintAt(place) === before);
}

/** Null where there is nothing. */
export function fingerprintAt(place: string): Fingerprint | null {
  const stats: Stats | undefined = statSync(place, { throwIfNoEntry: false });
  return stats === undefined ? null : fingerprintOf(stats);
}
