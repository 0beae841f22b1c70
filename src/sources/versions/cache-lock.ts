import { readFileSync, writeFileSync } from "node:fs";
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { ownIdentity, parseIdentity, processState, startOf } from "../../system/process-identity.ts";

/** The right to change a cache folder, which several processes may share. */
export interface CacheLock {
  /** Notes a child, so that whoever takes over from us can end it first. */
  recordChild(pid: number): void;
  release(): Promise<void>;
}

interface LockOptions {
  readonly now: () => number;
  /** Asked now and then while waiting; true gives up. */
  readonly isOver: () => boolean;
}

/** An owner that cannot be seen from here, in another container, shows that it lives by touching its file. */
const HEARTBEAT_MS = 20_000;
const SILENT_MS = 10 * 60_000;
const LOOK_MS = 50;

/**
 * Takes the lock of a folder, waiting for a living owner. The lock is a folder with one file named for its owner. It appears
 * by a rename of a whole folder and passes from a dead owner by a rename of that file, so of several who try, one succeeds,
 * and nobody can take it from an owner other than the one who was seen to be dead. Undefined when `isOver`.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<CacheLock | undefined> {
  const lock = path.join(folder, "lock");
  const me = ownIdentity();
  while (!options.isOver()) {
    if ((await takeFree(lock, me)) || (await takeFromDead(lock, me, options))) return heldLock(lock, me);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return undefined;
}

async function takeFree(lock: string, me: string): Promise<boolean> {
  const mine = `${lock}-${me}.tmp`;
  if ((await ownerOf(lock)) !== undefined) return false;
  await mkdir(mine, { recursive: true });
  await writeFile(path.join(mine, me), "");
  try {
    // Succeeds onto nothing and onto an empty folder, which is what an owner that died while releasing leaves.
    await rename(mine, lock);
    return true;
  } catch {
    await rm(mine, { recursive: true, force: true });
    // Only an empty folder can be removed; some systems rename onto no folder at all.
    await rmdir(lock).catch(() => {});
    return false;
  }
}

async function takeFromDead(lock: string, me: string, options: LockOptions): Promise<boolean> {
  const owner = await ownerOf(lock);
  if (owner === undefined) return false;
  const file = path.join(lock, owner);
  const identity = parseIdentity(owner);
  const state = identity === undefined ? "unknown" : processState(identity);
  if (state === "alive") return false;
  if (state === "unknown") {
    const touched = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (touched === undefined || options.now() - touched < SILENT_MS) return false;
  }
  const mine = path.join(lock, me);
  try {
    await rename(file, mine);
  } catch {
    return false;
  }
  const seconds = options.now() / 1000;
  await utimes(mine, seconds, seconds).catch(() => {});
  if (state === "dead") await endOrphan(mine);
  return true;
}

/** The git of a killed server runs on and would write beside us. */
async function endOrphan(file: string): Promise<void> {
  const [pid = "", start = ""] = (await readFile(file, "utf8").catch(() => "")).split(" ");
  if (!/^\d+$/.test(pid) || start === "" || start === "0") return;
  const isThere = () => startOf(Number(pid)) === start;
  for (let tries = 0; isThere() && tries < 100; tries++) {
    try {
      process.kill(-Number(pid), "SIGKILL");
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function ownerOf(lock: string): Promise<string | undefined> {
  const names = await readdir(lock).catch(() => []);
  return names[0];
}

function heldLock(lock: string, me: string): CacheLock {
  const file = path.join(lock, me);
  const heartbeat = setInterval(() => {
    const seconds = Date.now() / 1000;
    utimes(file, seconds, seconds).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    recordChild(pid) {
      try {
        // Read first: a lock that was taken from us must not come back.
        readFileSync(file);
        writeFileSync(file, `${pid} ${startOf(pid)}`);
      } catch {
        // Without the note an orphan ends by its own time-outs.
      }
    },
    async release() {
      clearInterval(heartbeat);
      await unlink(file).catch(() => {});
      await rmdir(lock).catch(() => {});
    },
  };
}
