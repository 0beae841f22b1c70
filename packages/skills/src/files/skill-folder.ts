import type { Dirent } from "node:fs";
import path from "node:path";
import { type Disk, fingerprintOf, isInside, mayChangeUnseen, POOLED_DISK, runQueue } from "#util";
import { isHidden } from "#util/pure";
import type { Skill } from "../skill/skill.ts";

/**
 * The files of a skill's own folder, for everything that lists or serves them. Hidden names, `node_modules` and linked
 * folders are left out; a link counts as a file only if it leads to a file that would be listed itself.
 */

/** The folder to list. */
export type SkillPlace = Pick<Skill, "realDir" | "linkedFile" | "without">;

/** A file of a skill, by the names that the disk gave. */
export interface SkillFile {
  /** Its names below the skill's folder, the folders first. */
  readonly names: readonly string[];
  /** The path to open, with no link left in it. */
  readonly realFile: string;
  readonly size: number;
  /** Whether its owner may run it. */
  readonly executable: boolean;
  /** Another value means that the content may differ. */
  readonly fingerprint: string;
  /** When it was last changed, in milliseconds. */
  readonly changedAt: number;
}

/** The files of a skill, folder by folder, so that the same tree gives the same answer. */
export interface SkillListing {
  readonly files: readonly SkillFile[];
  /** The path of something in the folder that cannot be served. */
  readonly unservable: string | undefined;
  /** All of them. */
  readonly leftOut: readonly string[];
  /** Folders named `node_modules`, whose content is not listed; known only where hidden names are listed. */
  readonly foreign: readonly string[];
  /** False: there are more files than are listed. */
  readonly complete: boolean;
}

/** One thing in a folder of a skill. */
export type FolderEntry =
  | { readonly kind: "file" | "folder"; readonly name: string; readonly real: string }
  /** A link that leads out of the skill, to a hidden file or nowhere, or a special file: never opened. */
  | { readonly kind: "unservable"; readonly name: string };

/** As many as the Skills extension allows. */
export const MOST_FILES = 512;
/** A folder with more folders than this is a project, not a skill. */
const MOST_FOLDERS = 1_024;
const FILES_AT_ONCE = 16;

interface Found {
  readonly names: readonly string[];
  readonly real: string;
}

export interface ListOptions {
  /** Those of hidden names too: they are not served, but an agent on the same machine can open them. */
  readonly hidden?: boolean;
  readonly disk?: Disk;
}

/** Lists the files that are in a skill's folder now. */
export async function listSkillFiles(
  skill: SkillPlace,
  { hidden = false, disk = POOLED_DISK }: ListOptions = {},
): Promise<SkillListing> {
  const isSkipped = hidden ? isForeign : isLeftOut;
  const found: Found[] = [];
  const unservable: string[] = [];
  const foreign: string[] = [];
  const folders: Found[] = [{ names: [], real: skill.realDir }];
  for (let next = 0; next < folders.length; next++) {
    const folder = folders[next] as Found;
    const onSkipped = (name: string): void => {
      if (hidden && name === "node_modules") foreign.push([...folder.names, name].join("/"));
    };
    for (const entry of await readFolder(skill, folder.real, isSkipped, disk, onSkipped)) {
      const names = [...folder.names, entry.name];
      if (entry.kind === "unservable") unservable.push(names.join("/"));
      else (entry.kind === "file" ? found : folders).push({ names, real: entry.real });
    }
    if (found.length > MOST_FILES || folders.length > MOST_FOLDERS) break;
  }
  const complete = found.length <= MOST_FILES && folders.length <= MOST_FOLDERS;
  const listed = found.slice(0, MOST_FILES);
  const files: (SkillFile | undefined)[] = Array.from({ length: listed.length });
  await runQueue(listed.keys(), FILES_AT_ONCE, async (index) => {
    const { names, real } = listed[index] as Found;
    files[index] = await skillFileAt(names, real, disk);
  });
  return {
    files: files.filter((file) => file !== undefined),
    unservable: unservable[0],
    leftOut: unservable,
    foreign,
    complete,
  };
}

/** What lies beside a skill's own file. */
export interface BundledFiles {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** False: there are more files than are listed. */
  readonly complete: boolean;
}

/** Lists the files that are in a skill's folder now, without the skill's own. */
export async function listBundledFiles(skill: Skill): Promise<BundledFiles> {
  const { files, complete } = await listSkillFiles(skill);
  const bundled = files
    .map(({ names, size }) => ({ path: names.join("/"), size }))
    .filter(({ path: file }) => file !== skill.fileName);
  return { files: bundled, complete };
}

/**
 * Finds a file or folder of a skill, name by name. A name that a client sent is only compared with the names that the
 * disk gives, so it never becomes a path.
 */
export async function findInSkill(
  skill: Skill,
  names: readonly string[],
): Promise<
  | { readonly kind: "file"; readonly file: SkillFile }
  | { readonly kind: "folder"; readonly entries: readonly FolderEntry[] }
  | undefined
> {
  let entries = await readFolder(skill, skill.realDir);
  for (const [depth, name] of names.entries()) {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined || entry.kind === "unservable") return undefined;
    if (entry.kind === "file") {
      if (depth < names.length - 1) return undefined;
      const file = await skillFileAt(names, entry.real);
      return file === undefined ? undefined : { kind: "file", file };
    }
    entries = await readFolder(skill, entry.real);
  }
  return { kind: "folder", entries };
}

/** Undefined when the file is gone, or is not a regular one. */
export async function skillFileAt(
  names: readonly string[],
  realFile: string,
  disk: Disk = POOLED_DISK,
): Promise<SkillFile | undefined> {
  const stats = await disk.lstat(realFile);
  if (stats === undefined || !stats.isFile()) return undefined;
  const changedAt = Math.max(stats.mtimeMs, stats.ctimeMs);
  const executable = (stats.mode & 0o100) !== 0;
  const fingerprint = String(fingerprintOf(stats));
  return { names, realFile, size: stats.size, executable, fingerprint, changedAt };
}

/** Whether a later change would show in the fingerprint. Not if the file changed just now: the clock is too coarse. */
export function isSettled({ changedAt }: SkillFile, readAt: number): boolean {
  return !mayChangeUnseen({ ctimeMs: changedAt, mtimeMs: changedAt }, readAt);
}

async function readFolder(
  skill: SkillPlace,
  realDir: string,
  isSkipped: IsSkipped = isLeftOut,
  disk: Disk = POOLED_DISK,
  onSkipped: (name: string) => void = () => {},
): Promise<readonly FolderEntry[]> {
  const entries = await disk.list(realDir);
  if ("failure" in entries) return [];
  const visible = entries.filter(({ name }) => {
    if (isWithout(skill, path.join(realDir, name))) return false;
    if (!isSkipped(name)) return true;
    onSkipped(name);
    return false;
  });
  const found = await Promise.all(visible.map((entry) => entryOf(skill, realDir, entry, isSkipped, disk)));
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function entryOf(
  skill: SkillPlace,
  realDir: string,
  entry: Dirent,
  isSkipped: IsSkipped,
  disk: Disk,
): Promise<FolderEntry> {
  const { name } = entry;
  const real = path.join(realDir, name);
  if (entry.isFile()) return { kind: "file", name, real };
  if (entry.isDirectory()) return { kind: "folder", name, real };
  if (!entry.isSymbolicLink()) return { kind: "unservable", name };
  const target = await realPathOf(real, disk);
  if (target === undefined) return { kind: "unservable", name };
  // A SKILL.md that is a link was accepted by the scan.
  if (target === skill.linkedFile && realDir === skill.realDir) return { kind: "file", name, real: target };
  const isShown = isInside(skill.realDir, target) && !isWithout(skill, target);
  return isShown && !isSkipped(path.relative(skill.realDir, target))
    ? { kind: "file", name, real: target }
    : { kind: "unservable", name };
}

async function realPathOf(link: string, disk: Disk): Promise<string | undefined> {
  try {
    return await disk.realpath(link);
  } catch {
    return undefined;
  }
}

/** Whether a path belongs to a skill further down that must not show. */
function isWithout({ without = [] }: SkillPlace, real: string): boolean {
  return without.some((dir) => isInside(dir, real));
}

/** Whether a path below the skill's folder is left out. */
type IsSkipped = (relative: string) => boolean;

/** What is not the skill's own work: too much to look at, and git's own data. */
function isForeign(relative: string): boolean {
  return relative.split(path.sep).some((name) => name === "node_modules" || name === ".git");
}

/** A link must not show what its own folder would not list. */
function isLeftOut(relative: string): boolean {
  return isHidden(relative) || relative.split(path.sep).includes("node_modules");
}
