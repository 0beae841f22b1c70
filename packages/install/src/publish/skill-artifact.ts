import { createHash } from "node:crypto";
import type { Skill } from "#skills";
import {
  isSettled,
  listSkillFiles,
  MOST_BYTES,
  MOST_FILES,
  readSkill,
  readSkillFile,
  realFileOf,
  type SkillFile,
  type SkillListing,
  skillFileAt,
} from "#skills";
import { sha256 } from "#util";
import { fitsTar, type TarFile, tarGzip } from "./tar-gzip.ts";

/** What installers expect at the root of a skill, however its author spelled it. */
export const SKILL_FILE = "SKILL.md";

/** A file of a skill, under the path that installers write it to. */
export interface PublishedFile {
  readonly path: string;
  readonly file: SkillFile;
}

/** What an installer downloads of a skill: its only file, or an archive of all of them. */
export interface Artifact {
  readonly type: "skill-md" | "archive";
  /** Of the bytes that are downloaded: `sha256:` and 64 digits. */
  readonly digest: string;
  readonly size: number;
  /** In the order of their paths. */
  readonly files: readonly PublishedFile[];
  /** False: a file name cannot be written in an index of files (0.1), so that only the archive has it. */
  readonly addressable: boolean;
  /** Another value means that the bytes may differ; undefined when a change may go unseen. */
  readonly fingerprint: string | undefined;
}

/** Why a skill is served and yet not published: an installer would get a part of it, or refuse it. */
export interface Unpublished {
  readonly reason: string;
}

/**
 * The files of a skill as they are now. A skill is published whole or not at all. `isAlone`: the scan saw no file beside
 * its own, so that its folder need not be listed.
 */
export async function listArtifact(
  skill: Skill,
  isAlone: boolean,
): Promise<readonly PublishedFile[] | Unpublished> {
  const listing = isAlone ? await listOwnFile(skill) : await listSkillFiles(skill);
  const files = publishedFiles(skill, listing);
  const reason = whyNot(listing, files);
  return reason === undefined ? files : { reason };
}

async function listOwnFile(skill: Skill): Promise<SkillListing> {
  const file = await skillFileAt([skill.fileName], realFileOf(skill));
  return {
    files: file === undefined ? [] : [file],
    unservable: undefined,
    leftOut: [],
    foreign: [],
    complete: true,
  };
}

/** Reads every file to know the digest. `known` is the last result, which stands while no file has changed. */
export async function readArtifact(
  skill: Skill,
  files: readonly PublishedFile[],
  now: number,
  known?: Artifact,
): Promise<Artifact> {
  const fingerprint = fingerprintOf(files, now);
  if (known !== undefined && known.fingerprint !== undefined && known.fingerprint === fingerprint)
    return known;
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of artifactBytes(skill, files)) {
    hash.update(chunk);
    size += chunk.length;
  }
  const type = typeOf(files);
  const addressable = files.every(({ path }) => isAddressable(path));
  return { type, digest: `sha256:${hash.digest("hex")}`, size, files, addressable, fingerprint };
}

/** The bytes that an installer downloads. */
export async function* artifactBytes(
  skill: Skill,
  files: readonly PublishedFile[],
): AsyncGenerator<Uint8Array, void> {
  const [first] = files;
  if (first !== undefined && typeOf(files) === "skill-md") yield await readOwnFile(skill);
  else yield* tarGzip(files.map((file) => tarFile(skill, file)));
}

/** By the calls that load a skill, which cost a third of those for other files. */
async function readOwnFile(skill: Skill): Promise<Uint8Array> {
  const loaded = await readSkill(skill);
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return Buffer.from(loaded.text, "utf8");
}

function typeOf(files: readonly PublishedFile[]): Artifact["type"] {
  return files.length === 1 ? "skill-md" : "archive";
}

function tarFile(skill: Skill, { path, file }: PublishedFile): TarFile {
  const { size, executable } = file;
  return { name: path, size, executable, read: () => readSkillFile(skill, file) };
}

function publishedFiles(skill: Skill, { files }: SkillListing): readonly PublishedFile[] {
  return files
    .map((file) => ({ path: publishedPath(skill, file), file }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function publishedPath({ fileName }: Skill, { names }: SkillFile): string {
  return names.length === 1 && names[0] === fileName ? SKILL_FILE : names.join("/");
}

function whyNot({ complete }: SkillListing, files: readonly PublishedFile[]): string | undefined {
  if (!complete) return `it has more than ${MOST_FILES} files; split it into several skills`;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MOST_BYTES) return `its files are larger than ${MOST_BYTES / 1024 / 1024} MiB together`;
  if (!files.some(({ path }) => path === SKILL_FILE)) return `its ${SKILL_FILE} cannot be read`;
  const seen = new Set<string>();
  for (const { path } of files) {
    // Where case does not count, one of the two would overwrite the other.
    const key = path.toLowerCase();
    if (seen.has(key)) return `two of its files differ only in case: '${path}'; rename one of them`;
    seen.add(key);
    if (!isPortable(path)) return `installers refuse the file name '${path}'; rename it`;
  }
  return undefined;
}

/** Names that every installer can write to a disk of any system. */
function isPortable(path: string): boolean {
  return fitsTar(path) && !/[\p{Cc}\\]|^[A-Za-z]:/u.test(path);
}

/** What older installers accept: they build an address from the path as it is, and refuse `..` anywhere in it. */
function isAddressable(path: string): boolean {
  return !/[?#%]|\.\.|^[A-Za-z][A-Za-z0-9+.-]*:/.test(path);
}

function fingerprintOf(files: readonly PublishedFile[], now: number): string | undefined {
  if (!files.every(({ file }) => isSettled(file, now))) return undefined;
  const parts = files.map(({ path, file }) => `${path}\0${file.fingerprint}\0${file.executable}`);
  return sha256(parts.join("\n")).toString("base64");
}
