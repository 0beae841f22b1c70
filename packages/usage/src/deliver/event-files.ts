import { link, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { createProcessKey, parseProcessKey, processState } from "#util";
import { appendFile, appendLines, newestLines } from "../record/event-writer.ts";
import type { Receipt } from "../relay/fleet-usage.ts";

const SHARED = "analytics-buffer.jsonl";
/** The owner of a file and, once its events are in the log of replicas, the receipt for them. */
const OWNED = /^analytics-(?:buffer\.([^~]+)|sent\.([^~]+)~([0-9a-z.]*)~(\d+-\d+))\.part$/;
/** A live owner renames its files at nearly every flush. One of unknown state counts as dead after this time. */
const ABANDONED_MS = 10 * 60_000;
/** A server that is killed again and again leaves a file each time. A short-lived process must send some of them. */
const MOST_CLAIMED = 32;
/** How often other processes may get in between before a file stays with this one. */
const SHARE_TRIES = 50;
const APPEND_TRIES = 3;

interface EventFilesOptions {
  readonly folder: string;
  /** The largest size of the shared file. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Called with the number of events that were dropped to make room for newer ones. */
  readonly onDropped: (count: number) => void;
  /** False: files whose events are in the log of replicas are sent again, because this process does not read that log. */
  readonly keepsReceipts: boolean;
  readonly stateOf?: typeof processState;
}

export type EventFiles = ReturnType<typeof createEventFiles>;

/**
 * The files with events that are not delivered yet, of all servers of this user. Each process appends to a file that carries its
 * name, and takes others by renaming them: the shared one, and those of processes that are dead. Of several processes that
 * rename a file, one succeeds.
 */
export function createEventFiles(options: EventFilesOptions) {
  const { folder, maxBytes, now, onDropped } = options;
  const shared = path.join(folder, SHARED);
  /** The files of this process, oldest first. */
  const own = new Map<string, Receipt | undefined>();
  /** The one that new events are appended to. */
  let current: string | undefined;

  const nameFor = (receipt?: Receipt): string => {
    const key = createProcessKey();
    const name = receipt === undefined ? `buffer.${key}` : `sent.${key}~${receipt.epoch}~${receipt.last}`;
    return path.join(folder, `analytics-${name}.part`);
  };

  /** A file that the disk does not let it remove is sent again. */
  async function remove(...files: readonly string[]): Promise<void> {
    for (const file of files) {
      const isGone = await rm(file, { force: true }).then(
        () => true,
        () => false,
      );
      if (isGone) own.delete(file);
    }
  }

  /** Makes it a file of this process. Undefined when another process was first, or the disk cannot be written to. */
  async function take(file: string, receipt?: Receipt): Promise<string | undefined> {
    const target = nameFor(receipt);
    const time = new Date(now());
    // Before the rename: under its new name it must never look abandoned.
    await utimes(file, time, time).catch(() => {});
    try {
      await rename(file, target);
    } catch (error) {
      if (isMissing(error)) own.delete(file);
      return undefined;
    }
    own.delete(file);
    own.set(target, receipt);
    return target;
  }

  /** Appends to the current file. All or nothing: the caller keeps what the disk did not accept. */
  async function append(lines: readonly string[]): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let left = APPEND_TRIES; left > 0; left--) {
      current ??= nameFor();
      own.set(current, undefined);
      if (await appendWhole(current, lines)) return;
      // After a long sleep of the machine, another process may have taken this one for dead, and its file. It delivers what it
      // found; whether this write came in time is unknown, so it is repeated.
      own.delete(current);
      current = undefined;
    }
    throw new Error("the file keeps disappearing");
  }

  /**
   * Ends the current file and, if asked for others, takes the shared file and those of dead processes. Resolves to whether
   * there are more of those than one call takes.
   */
  async function claim(others: boolean): Promise<boolean> {
    const ended = current;
    current = undefined;
    if (!others) return false;
    try {
      const inodes = new Set<string>();
      let claimed = 0;
      for await (const { file, receipt } of claimable()) {
        if (claimed > MOST_CLAIMED) return true;
        const taken = await take(file, receipt);
        const inode = taken && (await inodeOf(taken));
        if (taken === undefined || inode === undefined) continue;
        // A process that was killed between link and unlink leaves one file under two names.
        if (inodes.has(inode)) await remove(taken);
        inodes.add(inode);
        claimed++;
      }
      return false;
    } finally {
      // The newest events come last.
      if (ended !== undefined && own.delete(ended)) own.set(ended, undefined);
    }
  }

  async function* claimable(): AsyncGenerator<{ readonly file: string; readonly receipt?: Receipt }> {
    yield { file: shared };
    for (const name of await readdir(folder).catch(() => [])) {
      const [, buffer, sent, epoch = "", last = ""] = OWNED.exec(name) ?? [];
      const owner = parseProcessKey(buffer ?? sent ?? "");
      const file = path.join(folder, name);
      if (owner === undefined || own.has(file) || !(await isAbandoned(file, owner, options))) continue;
      yield sent !== undefined && options.keepsReceipts ? { file, receipt: { epoch, last } } : { file };
    }
  }

  async function moveInto(target: string, file: string): Promise<void> {
    if ((await inodeOf(file)) !== (await inodeOf(target)))
      await appendFile(file, 0, target).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    await remove(file);
  }

  /** A copy of the rest of a file. Without room for it the whole file stays, and its head is sent again. */
  async function withoutHead(file: string, from: number): Promise<string> {
    if (from === 0) return file;
    const copy = nameFor();
    try {
      await appendFile(file, from, copy);
      own.set(copy, undefined);
      await remove(file);
      return copy;
    } catch {
      await remove(copy);
      return file;
    }
  }

  async function withinLimit(file: string): Promise<string> {
    if ((await sizeOf(file)) <= maxBytes) return file;
    // Below the limit, so that not every flush copies the file.
    const { from, skipped } = await newestLines(file, Math.floor(maxBytes * 0.875));
    const newest = await withoutHead(file, from);
    if (newest !== file) onDropped(skipped);
    return newest;
  }

  /** Links files together as the shared file, merging them with what other processes put there meanwhile. */
  async function shareAll([first, ...others]: readonly UnsentFile[]): Promise<void> {
    if (first === undefined) return;
    let file = await withoutHead(first.file, first.from);
    for (const other of others) await moveInto(file, other.file);
    for (let left = SHARE_TRIES; left > 0; left--) {
      file = await withinLimit(file);
      try {
        await link(file, shared);
        return await remove(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const there = await take(shared);
      if (there === undefined) continue;
      // The larger one is the older one.
      const [older, newer] = (await sizeOf(there)) >= (await sizeOf(file)) ? [there, file] : [file, there];
      await moveInto(older, newer);
      file = older;
    }
  }

  return {
    /** The file for events that no process owns. */
    shared,
    append,
    claim,
    remove,
    /** The files of this process that are to be sent, oldest first. */
    unsent: (): readonly string[] =>
      [...own].flatMap(([file, receipt]) => (receipt === undefined && file !== current ? [file] : [])),
    /** Those whose events are in the log of replicas. */
    sent: (): readonly (readonly [file: string, receipt: Receipt])[] =>
      [...own].flatMap(([file, receipt]) => (receipt === undefined ? [] : [[file, receipt] as const])),
    /** Stores with a file that its events are in the log of replicas; without a receipt, that they are to be sent. */
    async mark(file: string, receipt?: Receipt): Promise<void> {
      await take(file, receipt);
    },
    /** Makes what is left of files the shared file. What the disk does not let it merge stays with this process. */
    share: (files: readonly UnsentFile[]): Promise<void> => shareAll(files).catch(() => {}),
  };
}

/** A file, and the byte before which everything is delivered. */
export interface UnsentFile {
  readonly file: string;
  readonly from: number;
}

async function isAbandoned(
  file: string,
  owner: Parameters<typeof processState>[0],
  { now, stateOf = processState }: EventFilesOptions,
): Promise<boolean> {
  const state = stateOf(owner);
  if (state !== "unknown") return state === "dead";
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && now() - found.mtimeMs > ABANDONED_MS;
}

/** False when the file was renamed or removed meanwhile. */
async function appendWhole(file: string, lines: readonly string[]): Promise<boolean> {
  const handle = await open(file, "a+", 0o600);
  try {
    const { size, dev, ino } = await handle.stat({ bigint: true });
    try {
      await appendLines(handle, lines);
      await handle.datasync();
    } catch (error) {
      // If this fails too, repeats are recognised by their ids.
      await handle.truncate(Number(size)).catch(() => {});
      throw error;
    }
    return (await inodeOf(file)) === `${dev}:${ino}`;
  } finally {
    await handle.close();
  }
}

/** Equal for all names of one file. As big integers: inode numbers on Windows exceed the exact range of a number. */
async function inodeOf(file: string): Promise<string | undefined> {
  return stat(file, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
