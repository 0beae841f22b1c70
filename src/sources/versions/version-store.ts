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
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import type { TreeEntry, TreeFinding } from "./tree-plan.ts";
import { LINK_MODE } from "./tree-plan.ts";

/** What a version holds, kept beside its folder. */
export interface VersionRecord {
  readonly commit: string;
  readonly kept: readonly TreeEntry[];
  /** What of the commit's tree was left out. */
  readonly dropped: readonly TreeEntry[];
  readonly findings: readonly TreeFinding[];
}

/**
 * The versions of one repository on the disk: `v/<commit>` each, never changed once it is there, and `current`, a link that
 * is replaced whole. On Windows, where links need a privilege, `current` is a file with the version's name.
 */
export interface VersionStore {
  readonly pointer: string;
  /** The name of the current version, if its folder is there. */
  current(): Promise<string | undefined>;
  folderOf(name: string): string;
  /** A name for a new version of a commit, and the folder to write it to. */
  prepare(commit: string): Promise<{ readonly name: string; readonly draft: string }>;
  /** Makes a finished draft the current version. */
  publish(name: string, draft: string, record: VersionRecord): Promise<void>;
  /** Makes a version that is there already the current one. */
  reuse(name: string): Promise<void>;
  record(name: string): Promise<VersionRecord | undefined>;
  /** What a version holds; undefined if that is not known or files are missing. */
  check(name: string): Promise<VersionRecord | undefined>;
  /** Removes drafts of dead processes. Only for the owner of the lock. */
  clear(): Promise<void>;
  /** Removes versions that nobody needs. Only for the owner of the lock. */
  prune(options: PruneOptions): Promise<void>;
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

export function createVersionStore(folder: string, platform: NodeJS.Platform): VersionStore {
  const versions = path.join(folder, "v");
  const pointer = path.join(folder, "current");
  const recordOf = (name: string) => path.join(versions, `${name}.json`);
  const folderOf = (name: string) => path.join(versions, name);

  async function current(): Promise<string | undefined> {
    try {
      const target = platform === "win32" ? await readFile(pointer, "utf8") : await readlink(pointer);
      const name = path.posix.basename(target.trim());
      return NAME.test(name) && (await stat(folderOf(name))).isDirectory() ? name : undefined;
    } catch {
      return undefined;
    }
  }

  async function point(name: string): Promise<void> {
    const next = `${pointer}.tmp`;
    await rm(next, { force: true, recursive: true });
    if (platform === "win32") await writeFile(next, `v/${name}`);
    else await symlink(`v/${name}`, next);
    await rename(next, pointer);
  }

  async function remove(name: string): Promise<void> {
    // Out of the way first: what is half removed must not look like a version.
    const trash = `${folderOf(name)}.old.tmp`;
    await rm(trash, { recursive: true, force: true });
    await rename(folderOf(name), trash).catch(() => {});
    await rm(recordOf(name), { force: true });
    await rm(trash, { recursive: true, force: true });
  }

  return {
    pointer,
    current,
    folderOf,
    async prepare(commit) {
      await mkdir(versions, { recursive: true });
      const taken = new Set(await readdir(versions));
      let name = commit;
      for (let count = 2; taken.has(name); count++) name = `${commit}.${count}`;
      // A name of its own: a git of a killed process may still write to the last one.
      const draft = `${folderOf(name)}.${randomBytes(4).toString("hex")}.tmp`;
      await mkdir(draft);
      return { name, draft };
    },
    async publish(name, draft, record) {
      await writeFile(`${recordOf(name)}.tmp`, JSON.stringify(record), { flush: true });
      await rename(`${recordOf(name)}.tmp`, recordOf(name));
      await rename(draft, folderOf(name));
      await flushFolder(versions);
      await point(name);
      await flushFolder(folder);
    },
    async reuse(name) {
      // As young as a new one, so that it is not removed as soon as it is replaced again.
      const seconds = Date.now() / 1000;
      await utimes(recordOf(name), seconds, seconds);
      await point(name);
    },
    record: (name) => readRecord(recordOf(name), commitOf(name)),
    async check(name) {
      const record = await readRecord(recordOf(name), commitOf(name));
      return record !== undefined && (await isWhole(folderOf(name), record.kept)) ? record : undefined;
    },
    async clear() {
      for (const name of await readdir(versions).catch(() => []))
        if (name.endsWith(".tmp")) await rm(path.join(versions, name), { recursive: true, force: true });
    },
    async prune({ keep, graceMs, now, inUse }) {
      const shown = await current();
      const found = [...(await versionsByAge(versions))];
      // The one that is shown was switched to last, whatever the disk's coarse clock says.
      found.sort((a, b) => Number(b.name === shown) - Number(a.name === shown) || b.made - a.made);
      // A version was replaced when the next one was made.
      let replaced = Number.POSITIVE_INFINITY;
      for (const [at, { name, made }] of found.entries()) {
        const isNeeded = at < keep || name === shown || inUse.has(name) || now - replaced < graceMs;
        if (!isNeeded) await remove(name);
        replaced = made;
      }
    },
  };
}

/** So that a power cut does not bring the switch to the disk before what it points to. Windows has no such call. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Newest first, by when the record was written. */
async function versionsByAge(
  folder: string,
): Promise<readonly { readonly name: string; readonly made: number }[]> {
  const found: { name: string; made: number }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!NAME.test(name)) continue;
    const made = await stat(path.join(folder, `${name}.json`)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    found.push({ name, made });
  }
  return found.sort((a, b) => b.made - a.made);
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

const LOOKS_AT_ONCE = 200;

/** Whether every file is there with its size: someone may have tidied up in the cache. */
async function isWhole(folder: string, kept: readonly TreeEntry[]): Promise<boolean> {
  for (const [at, { path: file, mode, size }] of kept.entries()) {
    const found = lstatSync(path.join(folder, file), { throwIfNoEntry: false });
    if (found === undefined) return false;
    if (mode !== LINK_MODE && (!found.isFile() || found.size !== size)) return false;
    // A look costs microseconds, a trip through the thread pool far more; but requests are waiting.
    if (at % LOOKS_AT_ONCE === LOOKS_AT_ONCE - 1) await new Promise(setImmediate);
  }
  return true;
}
