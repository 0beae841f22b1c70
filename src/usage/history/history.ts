import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../system/log.ts";
import type { UsageEvent } from "../events.ts";
import { endTornLine, writeAll } from "../record/append-lines.ts";
import { createGroupCommit } from "../record/group-commit.ts";
import { createLineQueue } from "../record/line-queue.ts";
import { compactHistory } from "./compact-history.ts";
import { historyFolder, segmentOf } from "./history-files.ts";

/** What happened on this machine, for its own user: one file a month, one line an event. It is sent nowhere. */
export interface History {
  add(event: UsageEvent): void;
  /** True once everything added so far is in the file. */
  commit(): Promise<boolean>;
  stop(): void;
}

export interface HistoryOptions {
  readonly folder: string;
  readonly now: () => number;
  readonly log: Log;
  readonly commitMs: number;
}

const MOST_WAITING = 10_000;
const LARGEST_SEGMENT = 64 * 1024 * 1024;
/** Appends of this size were never seen to mix with those of other processes. */
const LARGEST_WRITE = 16 * 1024;

export function createHistory({ folder, now, log, commitMs }: HistoryOptions): History {
  const queue = createLineQueue(MOST_WAITING, () => {});
  const target = historyFolder(folder);
  let isCompacted = false;
  let warned = false;

  async function write(): Promise<boolean> {
    const lines = queue.take(JSON.stringify);
    try {
      if (lines.length === 0) return true;
      await mkdir(target, { recursive: true, mode: 0o700 });
      await append(path.join(target, segmentOf(now())), lines);
      if (!isCompacted) {
        isCompacted = true;
        // It saves room and nothing else; the next process tries again.
        await compactHistory(folder, now()).catch(() => {});
      }
      return true;
    } catch (error) {
      // A gap in a local statistic is not worth more than a line.
      if (!warned) log.warn(`usage: the history in ${target} cannot be written: ${String(error)}.`);
      warned = true;
      return false;
    } finally {
      queue.putBack(lines, []);
    }
  }
  const commits = createGroupCommit(write, commitMs);

  return {
    add(event) {
      queue.add(event);
      commits.soon();
    },
    commit: commits.now,
    stop: commits.stop,
  };
}

async function append(file: string, lines: readonly string[]): Promise<void> {
  const handle = await open(file, "a+", 0o600);
  try {
    if ((await handle.stat()).size > LARGEST_SEGMENT) throw new Error(`${file} has reached its largest size`);
    await endTornLine(handle);
    let chunk = "";
    for (const line of lines) {
      if (chunk.length + line.length > LARGEST_WRITE) {
        await writeAll(handle, Buffer.from(chunk));
        chunk = "";
      }
      chunk += `${line}\n`;
    }
    await writeAll(handle, Buffer.from(chunk));
  } finally {
    await handle.close();
  }
}
