import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import {
  createDirectDisk,
  type Disk,
  describeError,
  monotonicMs,
  type OpenedFile,
  withOpenFile,
} from "#util";
import type { DiagnosticCode, Problem } from "../skill/diagnostic.ts";
import { type FrontMatterPlace, findFrontMatter } from "../skill/front-matter/split.ts";
import { checkInvisible } from "../skill/invisible-text.ts";
import type { Invocation } from "../skill/invocation.ts";
import {
  isMissingField,
  type ParsedSkill,
  type ParseOptions,
  parseSkill,
  type ReadingRules,
} from "../skill/parse-skill.ts";
import type { Requirements } from "../skill/requirements.ts";

/** The largest SKILL.md that is served. Real ones stay below 100 KiB. */
const LARGEST_SKILL_FILE = 1024 * 1024;

/** Most front matters end well within this, so most files cost one small read. */
const HEAD_BYTES = 4 * 1024;
/** Enough for the longest front matter that is parsed, in the widest encoding of its characters. */
const LONGEST_HEAD_BYTES = 256 * 1024;

/** A whole file is read for a client that waits: without the thread pool, while the disk is quick. */
export const LOADING = createDirectDisk(monotonicMs);

export interface FileFailure {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line?: number;
}

/** Why `--strict` refuses a text; undefined when it hides nothing. */
export function invisibleFailure(text: string): FileFailure | undefined {
  const [invisible] = checkInvisible(text);
  if (invisible === undefined) return undefined;
  const { message, line = 1 } = invisible;
  return { code: "hidden-characters", message: `Line ${line}: ${message} --strict refuses it.`, line };
}

/** What the catalog needs of a file, or why the file is no skill. */
export type Head<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly failure: FileFailure };

/** How a kind of skill is read from the text of its front matter. */
export interface HeadFormat<T> {
  parse(text: string, finding: FrontMatterPlace): Head<T>;
  /** A second chance for what `parse` refused, with the text that follows the front matter. */
  parseWithBody?(text: string, finding: FrontMatterPlace): Head<T>;
  /** Whether two heads show the same to everyone. */
  same(a: T, b: T): boolean;
}

export interface SkillHead {
  readonly name: string;
  readonly description: string;
  readonly invocation?: Invocation;
  readonly requirements?: Requirements;
}

/** A `SKILL.md`. With `lenient`, one without a name or description is a skill too. */
export function skillHeads({ strict = false, lenient = false }: ReadingRules): HeadFormat<SkillHead> {
  const parseAs =
    (options: ParseOptions): HeadFormat<SkillHead>["parse"] =>
    (text, finding) => {
      const parsed = parseSkill(text, { ...options, strict, finding });
      if (!parsed.ok) return { ok: false, failure: lenient ? parsed.problem : withWayOut(parsed.problem) };
      const { name, description, invocation, requirements, warnings } = parsed.skill;
      // Both are pieces of one text that holds nothing else.
      const both = detached(name + description);
      const value = { name: both.slice(0, name.length), description: both.slice(name.length) };
      if (invocation === undefined && requirements === undefined) return { ok: true, value, warnings };
      // A copy, which keeps no text of the file alive.
      const more = JSON.parse(JSON.stringify({ invocation, requirements })) as Partial<SkillHead>;
      return { ok: true, value: { ...value, ...more }, warnings };
    };
  return {
    parse: parseAs({}),
    ...(lenient ? { parseWithBody: parseAs({ lenient }) } : {}),
    same: (a, b) =>
      a.name === b.name &&
      a.description === b.description &&
      JSON.stringify([a.invocation, a.requirements]) === JSON.stringify([b.invocation, b.requirements]),
  };
}

function withWayOut(problem: Problem): Problem {
  if (!isMissingField(problem)) return problem;
  return { ...problem, message: `${problem.message} Or serve it as it is with \`--lenient\`.` };
}

/** A head, and what the file was like when it was read. */
export interface HeadRead<T> {
  readonly stats: Stats;
  readonly head: Head<T>;
}

interface HeadReadOptions {
  readonly disk?: Disk;
  /** Buffers to use again: ten thousand new ones would be a burden on the garbage collector. */
  readonly buffers?: Buffer[];
}

export type Loaded<T> =
  /** `stats` are those of the open file that was read. */
  | { readonly ok: true; readonly text: string; readonly skill: T; readonly stats: Stats }
  | { readonly ok: false; readonly failure: FileFailure };

/** Reads no more of a file than its front matter. */
export async function readHead<T>(
  file: string,
  format: HeadFormat<T>,
  { disk, buffers = [] }: HeadReadOptions = {},
): Promise<HeadRead<T>> {
  const read = async ({ stats, readStart }: OpenedFile): Promise<HeadRead<T>> => {
    const refused = refuseFile(stats);
    if (refused !== undefined) return { stats, head: { ok: false, failure: refused } };
    const { size } = stats;
    const buffer = buffers.pop() ?? Buffer.allocUnsafe(HEAD_BYTES);
    const short = parseHead(await readStart(Math.min(size, HEAD_BYTES), buffer), size, format);
    buffers.push(buffer);
    const readLong = () => readStart(Math.min(size, LONGEST_HEAD_BYTES));
    const head = short ?? parseLongHead(await readLong(), size, format.parse);
    if (head.ok || format.parseWithBody === undefined) return { stats, head };
    return { stats, head: parseLongHead(await readLong(), size, format.parseWithBody) };
  };
  return withOpenFile(file, read, disk);
}

/** Parses the beginning of a file; undefined when the front matter continues after these bytes. */
function parseHead<T>(head: Buffer, size: number, format: HeadFormat<T>): Head<T> | undefined {
  const isCut = head.length < size;
  const bytes = isCut ? wholeCharacters(head) : head;
  if (!isUtf8(bytes)) return { ok: false, failure: NOT_UTF8 };
  // Most of the bytes are the body's, and a string of them would only be garbage.
  const end = bytes.indexOf(CLOSING, OPENING_LENGTH);
  if (end !== -1) {
    const text = bytes.toString("utf8", 0, end + CLOSING.length);
    const finding = findFrontMatter(text);
    if (finding.settled) return format.parse(text, finding);
  }
  const text = bytes.toString("utf8");
  const finding = findFrontMatter(text);
  return isCut && !finding.settled ? undefined : format.parse(text, finding);
}

const OPENING_LENGTH = "---".length;
const CLOSING = Buffer.from("\n---\n");

function parseLongHead<T>(head: Buffer, size: number, parse: HeadFormat<T>["parse"]): Head<T> {
  const text = decodeUtf8(head, head.length < size);
  return text === undefined ? { ok: false, failure: NOT_UTF8 } : parse(text, findFrontMatter(text));
}

/** Reads a whole `SKILL.md`. */
export function readWhole(file: string, options?: ParseOptions): Promise<Loaded<ParsedSkill>> {
  return readWholeAs(file, (text) => parseSkill(text, options));
}

/** Reads a whole file. It must still parse as a skill, so nothing else can be served in its place. */
export async function readWholeAs<T>(
  file: string,
  parse: (
    text: string,
  ) => { readonly ok: true; readonly skill: T } | { readonly ok: false; readonly problem: Problem },
): Promise<Loaded<T>> {
  const read = async ({ stats, readStart }: OpenedFile): Promise<Loaded<T>> => {
    const refused = refuseFile(stats);
    if (refused !== undefined) return { ok: false, failure: refused };
    const text = decodeUtf8(await readStart(stats.size), false);
    if (text === undefined) return { ok: false, failure: NOT_UTF8 };
    const parsed = parse(text);
    return parsed.ok
      ? { ok: true, text, skill: parsed.skill, stats }
      : { ok: false, failure: parsed.problem };
  };
  try {
    return await withOpenFile(file, read, LOADING);
  } catch (error) {
    return { ok: false, failure: unreadableFile(error) };
  }
}

/** A copy. A piece of a string keeps the whole string alive: ten times the memory of a catalog. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

export function unreadableFile(error: unknown): FileFailure {
  return { code: "unreadable", message: `It cannot be read: ${describeError(error)}.` };
}

const NOT_UTF8: FileFailure = {
  code: "not-utf8",
  message: "It is not UTF-8 text. Save it again with the UTF-8 encoding.",
};

function refuseFile(stats: Stats): FileFailure | undefined {
  if (!stats.isFile()) {
    return { code: "not-a-file", message: "It is not a regular file, so it was not read." };
  }
  if (stats.size <= LARGEST_SKILL_FILE) return undefined;
  // Rounded up: a byte too many is not 1.0.
  const size = (Math.ceil((10 * stats.size) / LARGEST_SKILL_FILE) / 10).toFixed(1);
  return {
    code: "too-large",
    message: `File is ${size} MiB; the limit is 1 MiB. Move the bulk into files beside it.`,
  };
}

/** The text, or undefined when it is not UTF-8. A BOM stays, because skills are served byte for byte. */
function decodeUtf8(bytes: Buffer, isCut: boolean): string | undefined {
  const whole = isCut ? wholeCharacters(bytes) : bytes;
  return isUtf8(whole) ? whole.toString("utf8") : undefined;
}

/** The bytes up to the end of the last whole character: a read of so many bytes may cut one in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  const { length } = bytes;
  let lead = length - 1;
  while (lead > length - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--;
  return lead + characterBytes(bytes[lead] ?? 0) > length ? bytes.subarray(0, lead) : bytes;
}

/** How many bytes the character has that begins with this one; 1 when none can. */
function characterBytes(lead: number): number {
  if (lead < 0xc0 || lead > 0xf7) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
