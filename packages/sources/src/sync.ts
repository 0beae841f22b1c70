import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type Log, parseProcessKey, platform, processState, takeLock, writeFileAtomic } from "#util";
import { type BranchFrom, createGitCommands, type GitCommands, type RemoteRef } from "./git/git-commands.ts";
import { usesToken } from "./git/git-environment.ts";
import type { GitLimits } from "./git/git-limits.ts";
import { openMirror } from "./git/mirror.ts";
import type { RepoAddress } from "./git/repo-address.ts";
import { createGitRunner } from "./git/run-git.ts";
import { mayBeDamage, SyncFailure } from "./sync-failure.ts";
import { versionsInUse } from "./versions/reader-lease.ts";
import { planTree } from "./versions/tree-plan.ts";
import {
  removeFolder,
  requireSpace,
  type VersionCache,
  type VersionRecord,
} from "./versions/version-cache.ts";

export interface GitSyncOptions {
  readonly repo: RepoAddress;
  readonly branch: string;
  readonly branchFrom: BranchFrom;
  readonly token: string | undefined;
  /** Where the token is from, as messages name it. */
  readonly tokenFrom: string;
  /** True: commits without a signature that the operator's git accepts are not served. */
  readonly requireSigned: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly versions: VersionCache;
  readonly limits: GitLimits;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly log: Log;
}

export interface Synced {
  readonly version: string;
  readonly record: VersionRecord;
}

interface Context extends GitSyncOptions {
  readonly git: GitCommands;
  /** The lock, while this process owns it. */
  lock: Awaited<ReturnType<typeof takeLock>>;
  closed: boolean;
}

export function createSync(options: GitSyncOptions) {
  const { repo, token, redact, folder } = options;
  const runner = createGitRunner({
    shown: repo.url,
    tokenFrom: usesToken(repo, token) ? options.tokenFrom : undefined,
    redact,
    onSpawn: (pid) => context.lock?.recordChild(pid),
  });
  const ceiling = path.dirname(folder);
  const git = createGitCommands({ ...options, platform, runner, ceiling, home: folder });
  const context: Context = { ...options, git, lock: undefined, closed: false };
  return {
    /** Writes the branch's newest commit to the disk and makes it current. Changes nothing if it throws a `SyncFailure`. */
    sync: (): Promise<Synced> => sync(context),
    close(): Promise<void> {
      context.closed = true;
      return runner.close();
    },
  };
}

async function sync(context: Context): Promise<Synced> {
  const { folder, git } = context;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await git.checkVersion();
    const wanted = await git.remoteRef({ orDefault: await mayUseDefault(context) });
    await noteDefault(context, wanted);
    // Usually nothing is new; that takes one git process and no lock.
    return (
      (await currentAt(context, wanted)) ?? (await withLock(context, () => fetchVersion(context, wanted)))
    );
  } catch (error) {
    throw asSyncFailure(error, folder);
  }
}

/** Beside the versions: they are of the remote's default branch, because it has no branch of the usual name. */
const DEFAULT_BRANCH = "default-branch";

/** Where no branch was named, the default branch is used; but not in place of a branch that was served and is gone. */
async function mayUseDefault({ branchFrom, versions, folder }: Context): Promise<boolean> {
  if (branchFrom !== "default") return false;
  return (await versions.current()) === undefined || existsSync(path.join(folder, DEFAULT_BRANCH));
}

async function noteDefault({ folder, branch, log }: Context, { instead }: RemoteRef): Promise<void> {
  const file = path.join(folder, DEFAULT_BRANCH);
  const noted = await readFile(file, "utf8").catch(() => undefined);
  if (noted === instead) return;
  if (instead === undefined) return rm(file, { force: true });
  log.info(`there is no branch '${branch}', using the default branch '${instead}'`);
  await writeFileAtomic(file, instead);
}

/** The current version, if it is this commit and complete. */
async function currentAt({ versions }: Context, { commit }: RemoteRef): Promise<Synced | undefined> {
  const version = await versions.current();
  if (version === undefined || !version.startsWith(commit)) return undefined;
  const record = await versions.check(version);
  return record === undefined ? undefined : { version, record };
}

async function withLock<T>(context: Context, act: () => Promise<T>): Promise<T> {
  const { folder, git, limits } = context;
  const began = performance.now();
  const isOver = () => context.closed || performance.now() - began > limits.lockWaitMs;
  const lock = await takeLock(folder, context.now, isOver);
  if (lock === undefined) {
    git.requireOpen();
    throw new SyncFailure(
      "busy",
      `Another process is still writing to ${folder}; its result is used when it is done.`,
    );
  }
  context.lock = lock;
  try {
    return await act();
  } finally {
    context.lock = undefined;
    await lock.release();
  }
}

async function fetchVersion(context: Context, wanted: RemoteRef): Promise<Synced> {
  const { folder, versions, log } = context;
  // Another process may have fetched it while we waited.
  const theirs = await currentAt(context, wanted);
  if (theirs !== undefined) return theirs;
  const mirror = path.join(folder, "mirror.git");
  const fresh = path.join(folder, "mirror.new.tmp");
  const isFirst = !existsSync(mirror);
  await removeLeftovers(folder);
  try {
    await versions.clear();
    try {
      return await fetchThrough(context, mirror, wanted);
    } catch (error) {
      if (isFirst || !mayBeDamage(error)) throw error;
      log.warn(`the local copy may be damaged, fetching a new one: ${(error as Error).message}`);
    }
    await versions.clear();
    const synced = await fetchThrough(context, fresh, wanted);
    await removeFolder(mirror);
    await rename(fresh, mirror);
    return synced;
  } catch (error) {
    await versions.clear();
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

async function fetchThrough(context: Context, folder: string, wanted: RemoteRef): Promise<Synced> {
  const { git, versions, limits, now } = context;
  const mirror = await openMirror(folder, wanted, git, limits);
  const commit = await mirror.fetch(progressLog(context));
  // Before anything of it is written: what is in the folder of a source that requires signatures has one.
  if (context.requireSigned) await mirror.verify(commit);
  const known = await versions.check(commit);
  if (known !== undefined) {
    // The branch was reset to an earlier commit.
    await versions.reuse(commit);
    return { version: commit, record: known };
  }
  const entries = await mirror.list(commit);
  const plan = planTree(entries, await mirror.linkTargets(entries), limits, platform.files);
  await requireSpace(context.folder, plan.kept);
  const { name, draft } = await versions.prepare(commit);
  await mirror.write(plan.kept, draft);
  const record: VersionRecord = { commit, ...plan };
  await versions.publish(name, draft, record);
  try {
    const inUse = await versionsInUse(context.folder, now());
    await versions.prune({ keep: limits.versions, graceMs: limits.graceMs, now: now(), inUse });
    await mirror.repack();
  } catch {
    // The new version is in place; cleaning up can wait for the next one.
  }
  return { version: name, record };
}

const PROGRESS_MS = 3_000;

/** Logs git's progress every few seconds while a large repository is fetched. */
function progressLog({ log, now }: Context): (text: string) => void {
  let last = now();
  return (text) => {
    const percent = /(Receiving objects|Resolving deltas):\s+(\d+)%/.exec(text);
    if (percent === null || now() - last < PROGRESS_MS) return;
    last = now();
    log.info(`${percent[1]?.toLowerCase()}: ${percent[2]} %`);
  };
}

/** Removes what killed processes left beside the versions. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const waiting = parseProcessKey(name.slice("lock-".length, -".tmp".length));
    // The folder of a process that is about to take the lock.
    if (waiting !== undefined && processState(waiting) !== "dead") continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** A full or read-only disk is not a bug. */
function asSyncFailure(error: unknown, folder: string): unknown {
  if (error instanceof SyncFailure || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    const message = `The disk of ${folder} is full; free some space.`;
    return new SyncFailure("disk-full", message, { cause: error });
  }
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const message = `The folder ${folder} cannot be written (${code}); check its owner and permissions.`;
  return new SyncFailure("cache-unwritable", message, { cause: error });
}
