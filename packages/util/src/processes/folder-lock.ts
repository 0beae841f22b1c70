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
import { setTimeout as sleep } from "node:timers/promises";
import { platform } from "../platform/this-platform.ts";
import { signalGroup } from "./process-group.ts";
import { createProcessKey, parseProcessKey, processState } from "./process-key.ts";

/** The right to change a folder, which several processes may share. */
interface FolderLock {
  /** Records a child process, so that the next owner of the lock can end it first. */
  recordChild(pid: number): void;
  release(): Promise<void>;
}

/** An owner whose state is unknown, as in another container, shows that it is alive by touching its file. */
const HEARTBEAT_MS = 20_000;
const SILENT_MS = 2 * 60_000;
const POLL_MS = 50;

/**
 * Takes the lock of a folder, waiting for a live owner. The lock is a folder with one file named for its owner. It appears
 * by a rename of a whole folder and passes from a dead owner by a rename of that file. So of several processes one succeeds,
 * and none can take it from any owner but the one it found dead. Undefined when `isOver`.
 */
export async function takeLock(
  folder: string,
  now: () => number,
  isOver: () => boolean,
): Promise<FolderLock | undefined> {
  const lock = path.join(folder, "lock");
  const me = createProcessKey();
  while (!isOver()) {
    if ((await takeFree(lock, me)) || (await takeFromDead(lock, me, now()))) return heldLock(lock, me);
    await sleep(POLL_MS);
  }
  return undefined;
}

/** The process that has the lock of a folder; undefined if it is free, or its owner cannot be read. */
export async function lockHolder(folder: string): Promise<number | undefined> {
  const owner = await ownerOf(path.join(folder, "lock"));
  return owner === undefined ? undefined : parseProcessKey(owner)?.pid;
}

async function takeFree(lock: string, me: string): Promise<boolean> {
  const mine = `${lock}-${me}.tmp`;
  if ((await ownerOf(lock)) !== undefined) return false;
  await mkdir(mine, { recursive: true });
  await writeFile(path.join(mine, me), "");
  try {
    // Succeeds if nothing is there or an empty folder, which an owner leaves that dies while releasing.
    await rename(mine, lock);
    return true;
  } catch {
    await rm(mine, { recursive: true, force: true });
    // Some systems do not rename onto a folder; this removes it only if it is empty.
    await rmdir(lock).catch(() => {});
    return false;
  }
}

async function takeFromDead(lock: string, me: string, now: number): Promise<boolean> {
  const owner = await ownerOf(lock);
  if (owner === undefined) return false;
  const file = path.join(lock, owner);
  const key = parseProcessKey(owner);
  const state = key === undefined ? "unknown" : processState(key);
  if (state === "alive") return false;
  if (state === "unknown") {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || now - found.mtimeMs < SILENT_MS) return false;
  }
  const mine = path.join(lock, me);
  try {
    await rename(file, mine);
  } catch {
    return false;
  }
  const seconds = now / 1000;
  await utimes(mine, seconds, seconds).catch(() => {});
  if (state === "dead") await endOrphan(mine);
  return true;
}

/** A child of a killed owner keeps running and would write at the same time. */
async function endOrphan(file: string): Promise<void> {
  const [pid = "", start = ""] = (await readFile(file, "utf8").catch(() => "")).split(" ");
  if (!/^\d+$/.test(pid) || start === "" || start === "0") return;
  const isRunning = () => platform.processes.startOf(Number(pid)) === start;
  for (let tries = 0; isRunning() && tries < 100; tries++) {
    if (!signalGroup(Number(pid), "SIGKILL")) return;
    await sleep(10);
  }
}

async function ownerOf(lock: string): Promise<string | undefined> {
  return (await readdir(lock).catch(() => []))[0];
}

function heldLock(lock: string, me: string): FolderLock {
  const file = path.join(lock, me);
  const heartbeat = setInterval(() => {
    const seconds = Date.now() / 1000;
    utimes(file, seconds, seconds).catch(() => {});
  }, HEARTBEAT_MS).unref();
  return {
    recordChild(pid) {
      try {
        // Read first: a lock that another process has taken must not come back.
        readFileSync(file);
        writeFileSync(file, `${pid} ${platform.processes.startOf(pid) ?? "0"}`);
      } catch {
        // Without the record, an orphan ends by its own timeouts.
      }
    },
    async release() {
      clearInterval(heartbeat);
      await unlink(file).catch(() => {});
      await rmdir(lock).catch(() => {});
    },
  };
}
