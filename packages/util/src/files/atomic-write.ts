import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { chmod, chown, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../pure/refusal.ts";
import { describeError } from "./file-system.ts";

interface AtomicWriteOptions {
  readonly mode?: number;
  /** Waits until the content is on the disk, so that a power cut leaves the old file or the whole new one. */
  readonly flush?: boolean;
  /** Gives the file exactly this mode and owner: for a file that belongs to somebody else. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Called right before the file is replaced, which it prevents by throwing: nothing else runs in between. */
  readonly check?: () => void;
}

/** Replaces a file: readers and a killed process see the old content or the new one, never a part of it. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { mode = 0o600, flush = false, owner, check }: AtomicWriteOptions = {},
): Promise<void> {
  // Loaded here: most commands write nothing, and it takes a while.
  const { randomBytes } = await import("node:crypto");
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { mode, flush, flag: "wx" });
    if (owner !== undefined) {
      const isOwn = owner.uid === process.getuid?.() && owner.gid === process.getgid?.();
      if (!isOwn) await chown(temporary, owner.uid, owner.gid);
      await chmod(temporary, mode);
    }
    if (check === undefined) await rename(temporary, file);
    else {
      check();
      renameSync(temporary, file);
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Makes a folder below the own one in the home folder, with those above it. A home folder in which nothing can be made is a
 * `Refusal` with the reason.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const missing = await outermostMissing(folder);
    // On a read-only disk, Node 20 reports for a folder above that it does not exist. Made by itself, it has the real reason.
    const reason: unknown = await mkdir(missing, { mode: 0o700 }).then(
      () => error,
      (real: unknown) => real,
    );
    throw new Refusal(
      `${missing} cannot be made: ${describeError(reason)}. skills-mcp keeps there what it needs to undo a change: make ${path.dirname(missing)} writable, or name another home folder with --user-dir <dir>.`,
      { code: "cannot-write", file: missing },
      { cause: reason },
    );
  }
}

/** The first folder of a path that does not exist; the folder itself if all do. */
async function outermostMissing(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  const isThere = parent === folder || (await stat(parent).catch(() => undefined)) !== undefined;
  return isThere ? folder : outermostMissing(parent);
}

const ABANDONED_MS = 10 * 60_000;
/** The cache of a project that was not opened for this long is removed; it can be built again. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;
/** Files that are cheap to make again; `.bin` is what earlier versions wrote. */
const REPLACEABLE =
  /^(?:(?:catalog|answer|tools)-[0-9a-f]+\.(?:jsonl|json|bin)|hints-[0-9a-f]+-[0-9a-f]+\.(?:idx|started))$/;

/** Replaces a file of the cache, and removes those that are no longer used. Several processes can do this at once. */
export async function replaceCacheFile(
  file: string,
  content: () => Promise<readonly Uint8Array[]>,
  now: number,
): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnused(folder, now);
  await writeFileAtomic(file, await content());
}

/** A process that was killed while it wrote leaves its temporary file behind. */
async function removeUnused(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const longest = name.endsWith(".tmp") ? ABANDONED_MS : REPLACEABLE.test(name) ? UNUSED_MS : undefined;
    if (longest === undefined) continue;
    const file = path.join(folder, name);
    const modified = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - modified > longest) await rm(file, { force: true });
  }
}

/** A random secret of this user, created by whichever process needs it first. Without a disk it lasts as long as the process. */
export async function ownSecret(file: string, bytes: number): Promise<string> {
  const made = randomBytes(bytes).toString("hex");
  const temporary = `${file}.${made.slice(0, 16)}.tmp`;
  try {
    const stored = await readOwnSecret(file);
    if (stored !== undefined) return stored;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${made}\n`, { mode: 0o600, flag: "wx" });
    // A link appears whole or not at all, and only the first process succeeds.
    await link(temporary, file).catch(() => {});
    return (await readOwnSecret(file)) ?? made;
  } catch {
    return made;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Reads the secret; undefined when the file is missing, or its content was cut off. */
export async function readOwnSecret(file: string): Promise<string | undefined> {
  const text = (await readFile(file, "utf8").catch(() => "")).trim();
  return /^[0-9a-f]{32,}$/.test(text) ? text : undefined;
}
