import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import {
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  symlink,
  utimes,
} from "node:fs/promises";
import path from "node:path";
import type { RepoPlace } from "#skills";
import { type Platform, writeFileAtomic } from "#util";
import { SyncFailure } from "../sync-failure.ts";
import { LINK_MODE, megabytes, type TreeEntry, type TreeFinding } from "./tree-plan.ts";

/** What a version contains; a file beside its folder. */
export interface VersionRecord {
  readonly commit: string;
  readonly kept: readonly TreeEntry[];
  /** Entries of the commit's tree that were skipped. */
  readonly dropped: readonly TreeEntry[];
  readonly findings: readonly TreeFinding[];
}

interface PruneOptions {
  readonly keep: number;
  /** How long a replaced version stays for requests that began with it. */
  readonly graceMs: number;
  readonly now: number;
  readonly inUse: ReadonlySet<string>;
}

const NAME = /^([0-9a-f]{40}|[0-9a-f]{64})(?:\.\d+)?$/;

export const commitOf = (name: string): string => name.replace(/\.\d+$/, "");

export type VersionCache = ReturnType<typeof createVersionCache>;

/**
 * The versions of one repository on the disk: `v/<commit>` each, never changed once it is there, and `current`, a link that
 * is replaced atomically. Where links need a privilege, `current` is a file with the version's name.
 */
export function createVersionCache(folder: string, { files: { linkFreely, rename: move } }: Platform) {
  const versions = path.join(folder, "v");
  const pointer = path.join(folder, "current");
  const recordOf = (name: string) => path.join(versions, `${name}.json`);
  const folderOf = (name: string) => path.join(versions, name);

  /** The name of the current version, if its folder is there. */
  const current = (): Promise<string | undefined> =>
    versionAt(pointer, versions, linkFreely).catch(() => undefined);

  return {
    pointer,
    current,
    folderOf,
    /** A name for a new version of a commit, and the folder to write it to. */
    async prepare(commit: string): Promise<{ readonly name: string; readonly draft: string }> {
      await mkdir(versions, { recursive: true });
      const taken = new Set(await readdir(versions));
      let name = commit;
      for (let count = 2; taken.has(name); count++) name = `${commit}.${count}`;
      // A new name: a git process of a killed server may still write to the last one.
      const draft = `${folderOf(name)}.${randomBytes(4).toString("hex")}.tmp`;
      await mkdir(draft);
      return { name, draft };
    },
    /** Makes a finished draft the current version. */
    async publish(name: string, draft: string, record: VersionRecord): Promise<void> {
      await writeFileAtomic(recordOf(name), JSON.stringify(record), { flush: true });
      move(draft, folderOf(name));
      await flushFolder(versions);
      await pointTo(name, pointer, linkFreely);
      await flushFolder(folder);
    },
    /** Makes an existing version the current one. */
    async reuse(name: string): Promise<void> {
      // As young as a new one, so that it is not removed as soon as it is replaced again.
      const seconds = Date.now() / 1000;
      await utimes(recordOf(name), seconds, seconds);
      await pointTo(name, pointer, linkFreely);
    },
    record: (name: string): Promise<VersionRecord | undefined> => readRecord(recordOf(name), commitOf(name)),
    /** Every file of a version, with `/`. Its record knows them; without it, the disk does. */
    files: (name: string): Promise<readonly string[]> =>
      filesIn(folderOf(name), recordOf(name), commitOf(name)),
    /** What a version contains; undefined if that is unknown or files are missing. */
    async check(name: string): Promise<VersionRecord | undefined> {
      const record = await readRecord(recordOf(name), commitOf(name));
      return record !== undefined && (await isWhole(folderOf(name), record.kept)) ? record : undefined;
    },
    /** Removes drafts of dead processes. Only for the owner of the lock. */
    clear: (): Promise<void> => removeDrafts(versions),
    /** Removes unused versions. Only for the owner of the lock. */
    async prune(options: PruneOptions): Promise<void> {
      for (const name of await unused(versions, await current(), options)) {
        await removeFolder(folderOf(name));
        await rm(recordOf(name), { force: true });
      }
    },
  };
}

/** Where in a repository a file below one of the versions in its folder is; undefined for any other file. */
export function placeInVersions(folder: string, file: string, url: string): RepoPlace | undefined {
  const [name = "", ...inside] = path.relative(path.join(folder, "v"), file).split(path.sep);
  return NAME.test(name) ? { url, commit: commitOf(name), path: inside.join("/") } : undefined;
}

async function removeDrafts(versions: string): Promise<void> {
  for (const name of await readdir(versions).catch(() => []))
    if (name.endsWith(".tmp")) await rm(path.join(versions, name), { recursive: true, force: true });
}

async function versionAt(
  pointer: string,
  versions: string,
  linkFreely: boolean,
): Promise<string | undefined> {
  const target = linkFreely ? await readlink(pointer) : await readFile(pointer, "utf8");
  const name = path.posix.basename(target.trim());
  return NAME.test(name) && (await stat(path.join(versions, name))).isDirectory() ? name : undefined;
}

/** Renames the folder first: a partly removed one must not count as a version. */
export async function removeFolder(folder: string): Promise<void> {
  const trash = `${folder}.old.tmp`;
  await rm(trash, { recursive: true, force: true });
  await rename(folder, trash).catch(() => {});
  await rm(trash, { recursive: true, force: true });
}

async function pointTo(name: string, pointer: string, linkFreely: boolean): Promise<void> {
  const next = `${pointer}.tmp`;
  await rm(next, { force: true, recursive: true });
  if (!linkFreely) return writeFileAtomic(pointer, `v/${name}`);
  await symlink(`v/${name}`, next);
  await rename(next, pointer);
}

async function unused(
  versions: string,
  active: string | undefined,
  { keep, graceMs, now, inUse }: PruneOptions,
): Promise<readonly string[]> {
  const names = (await readdir(versions).catch(() => [])).filter((name) => NAME.test(name));
  const made = await Promise.all(
    names.map((name) => stat(path.join(versions, `${name}.json`)).catch(() => ({ mtimeMs: 0 }))),
  );
  const found = names.map((name, at) => ({ name, made: made[at]?.mtimeMs ?? 0 }));
  // The current one was switched to last, whatever the disk's coarse clock says.
  found.sort((a, b) => Number(b.name === active) - Number(a.name === active) || b.made - a.made);
  return found
    .filter(({ name }, at) => {
      // A version was replaced when the next one was made.
      const replaced = found[at - 1]?.made ?? Number.POSITIVE_INFINITY;
      return at >= keep && name !== active && !inUse.has(name) && now - replaced >= graceMs;
    })
    .map(({ name }) => name);
}

/** Keeps a power cut from leaving a pointer to missing files. Windows has no such call. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function readRecord(file: string, commit: string): Promise<VersionRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, "utf8")) as VersionRecord;
    const isRecord =
      record.commit === commit &&
      Array.isArray(record.kept) &&
      Array.isArray(record.dropped) &&
      Array.isArray(record.findings);
    return isRecord ? record : undefined;
  } catch {
    return undefined;
  }
}

async function filesIn(folder: string, recordFile: string, commit: string): Promise<readonly string[]> {
  const record = await readRecord(recordFile, commit);
  if (record !== undefined) return record.kept.map(({ path: file }) => file);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join("/"));
}

const CHECKS_PER_SLICE = 200;

/** Whether every file is there with its size: someone may have cleaned up the cache. */
async function isWhole(folder: string, kept: readonly TreeEntry[]): Promise<boolean> {
  for (const [at, { path: file, mode, size }] of kept.entries()) {
    const found = lstatSync(path.join(folder, file), { throwIfNoEntry: false });
    if (found === undefined) return false;
    if (mode !== LINK_MODE && (!found.isFile() || found.size !== size)) return false;
    // Synchronous calls are much faster than the thread pool here, but must not block requests for long.
    if (at % CHECKS_PER_SLICE === CHECKS_PER_SLICE - 1) await new Promise(setImmediate);
  }
  return true;
}

/** Files take whole blocks, and the record and folders some more. */
const BLOCK = 4096;

/** Fails before anything is written if the disk has too little space: git does not say why it could not write a file. */
export async function requireSpace(folder: string, entries: readonly TreeEntry[]): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = entries.reduce((sum, { size = 0 }) => sum + Math.ceil((size + 1) / BLOCK) * BLOCK, BLOCK);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new SyncFailure(
    "disk-full",
    `The new version needs ${megabytes(needed)} and the disk of ${folder} has ${megabytes(free)} left; free some space.`,
  );
}
