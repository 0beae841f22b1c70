import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../system/log.ts";
import { parseIdentity, processState } from "../system/process-identity.ts";
import type { GitCommands } from "./git/git-commands.ts";
import type { GitLimits } from "./git/git-limits.ts";
import { openMirror, replaceMirror } from "./git/mirror.ts";
import { mayBeDamage, SyncFailure } from "./sync-failure.ts";
import { type CacheLock, takeLock } from "./versions/cache-lock.ts";
import { requireRoom } from "./versions/disk-room.ts";
import { versionsInUse } from "./versions/reader-lease.ts";
import { planTree } from "./versions/tree-plan.ts";
import type { VersionRecord, VersionStore } from "./versions/version-store.ts";

export interface SyncOptions {
  readonly folder: string;
  readonly git: GitCommands;
  readonly versions: VersionStore;
  readonly limits: GitLimits;
  readonly now: () => number;
  readonly foldsCase: boolean;
  readonly isClosed: () => boolean;
  /** Told when the lock is taken and when it is given back. */
  readonly onLock: (lock: CacheLock | undefined) => void;
  readonly onProgress: (text: string) => void;
  readonly log: Log;
}

export interface Synced {
  readonly version: string;
  readonly record: VersionRecord;
}

/** Brings the branch's newest commit to the disk and makes it current. Throws a `SyncFailure`; then nothing has changed. */
export async function sync(options: SyncOptions): Promise<Synced> {
  const { folder, git } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await git.checkVersion();
    const wanted = await git.remoteCommit();
    // Most of the time nothing is new. That takes one git and no lock.
    return (await alreadyThere(options, wanted)) ?? (await withLock(options, () => bring(options, wanted)));
  } catch (error) {
    throw asSyncFailure(error, folder);
  }
}

async function alreadyThere({ versions }: SyncOptions, commit: string): Promise<Synced | undefined> {
  const version = await versions.current();
  if (version === undefined || !version.startsWith(commit)) return undefined;
  const record = await versions.check(version);
  return record === undefined ? undefined : { version, record };
}

async function withLock<T>(options: SyncOptions, act: () => Promise<T>): Promise<T> {
  const { folder, git, limits, isClosed, onLock } = options;
  const began = performance.now();
  const isOver = () => isClosed() || performance.now() - began > limits.lockWaitMs;
  const lock = await takeLock(folder, { now: options.now, isOver });
  if (lock === undefined) {
    git.requireOpen();
    throw new SyncFailure(
      "busy",
      `Another process is still writing to ${folder}; its result is used once it is there.`,
    );
  }
  onLock(lock);
  try {
    return await act();
  } finally {
    onLock(undefined);
    await lock.release();
  }
}

async function bring(options: SyncOptions, wanted: string): Promise<Synced> {
  const { folder, versions, log } = options;
  // Another process may have fetched it while we waited.
  const theirs = await alreadyThere(options, wanted);
  if (theirs !== undefined) return theirs;
  const mirror = path.join(folder, "mirror.git");
  const fresh = path.join(folder, "mirror.new.tmp");
  const isFirst = !existsSync(mirror);
  await removeLeftovers(folder);
  try {
    await versions.clear();
    try {
      return await bringThrough(options, mirror, wanted);
    } catch (error) {
      if (isFirst || !mayBeDamage(error)) throw error;
      log.warn(`the local copy may be damaged, so a new one is made: ${(error as Error).message}`);
    }
    await versions.clear();
    const synced = await bringThrough(options, fresh, wanted);
    await replaceMirror(mirror, fresh);
    return synced;
  } catch (error) {
    await versions.clear();
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

async function bringThrough(options: SyncOptions, folder: string, wanted: string): Promise<Synced> {
  const { git, versions, limits, now, foldsCase } = options;
  const mirror = await openMirror(folder, wanted, git, limits);
  const commit = await mirror.fetch(options.onProgress);
  const known = await versions.check(commit);
  if (known !== undefined) {
    // A branch that was set back to where it has been.
    await versions.reuse(commit);
    return { version: commit, record: known };
  }
  const entries = await mirror.list(commit);
  const plan = planTree(entries, await mirror.linkTargets(entries), limits, foldsCase);
  await requireRoom(options.folder, plan.kept);
  const { name, draft } = await versions.prepare(commit);
  await mirror.write(plan.kept, draft);
  const record: VersionRecord = { commit, ...plan };
  await versions.publish(name, draft, record);
  try {
    const inUse = await versionsInUse(options.folder, now());
    await versions.prune({ keep: limits.versions, graceMs: limits.graceMs, now: now(), inUse });
    await mirror.tidy();
  } catch {
    // The new version is there already: tidying may wait for the next one.
  }
  return { version: name, record };
}

/** What killed processes left beside the versions. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const waiting = parseIdentity(name.slice("lock-".length, -".tmp".length));
    // The folder of a process that is about to ask for the lock.
    if (waiting !== undefined && processState(waiting) !== "dead") continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** A full or read-only disk is not a bug. */
function asSyncFailure(error: unknown, folder: string): unknown {
  if (error instanceof SyncFailure || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    const message = `The disk of ${folder} is full, so the new version was not written; free some space.`;
    return new SyncFailure("disk-full", message, { cause: error });
  }
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const message = `The folder ${folder} cannot be written (${code}); check its owner and permissions.`;
  return new SyncFailure("cache-unwritable", message, { cause: error });
}
