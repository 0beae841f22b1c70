import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../system/log.ts";
import type { UsageEvent } from "../events.ts";
import { endTornLine, toBytes, writeAll } from "../record/event-file.ts";
import { createEventQueue, createGroupCommit } from "../record/event-queue.ts";
import { compactHistory, eventsFile, historyFolder } from "./history-files.ts";

export interface HistoryOptions {
  readonly folder: string;
  readonly now: () => number;
  readonly log: Log;
  readonly commitMs: number;
}

const MOST_WAITING = 10_000;
const LARGEST_FILE = 64 * 1024 * 1024;
/** Appends of this size were never seen to mix with those of other processes. */
const LARGEST_WRITE = 16 * 1024;

/** The usage history of this machine: one file per month, one line per event. It is sent nowhere. */
export function createHistory({ folder, now, log, commitMs }: HistoryOptions) {
  const queue = createEventQueue(MOST_WAITING, () => {});
  const target = historyFolder(folder);
  let isCompacted = false;
  let warned = false;

  async function write(): Promise<boolean> {
    const events = queue.take();
    try {
      if (events.length === 0) return true;
      await mkdir(target, { recursive: true, mode: 0o700 });
      await append(path.join(target, eventsFile(now())), events);
      if (!isCompacted) {
        isCompacted = true;
        // It only saves space, and the next process tries again.
        await compactHistory(folder, now()).catch(() => {});
      }
      return true;
    } catch (error) {
      // A gap in a local statistic is worth one line, not more.
      if (!warned) log.warn(`usage: cannot write the history in ${target}: ${String(error)}.`);
      warned = true;
      return false;
    } finally {
      queue.settle(events, events.length);
    }
  }
  const commits = createGroupCommit(write, commitMs);

  return {
    add(event: UsageEvent): void {
      queue.add(event);
      commits.soon();
    },
    /** Resolves to true once everything added so far is in the file. */
    commit: commits.now,
    stop: commits.stop,
  };
}

async function append(file: string, events: readonly UsageEvent[]): Promise<void> {
  const handle = await open(file, "a+", 0o600);
  try {
    if ((await handle.stat()).size > LARGEST_FILE) throw new Error(`${file} has reached its largest size`);
    await endTornLine(handle);
    let chunk: string[] = [];
    let length = 0;
    for (const line of events.map((event) => JSON.stringify(event))) {
      if (length + line.length > LARGEST_WRITE) {
        await writeAll(handle, toBytes(chunk));
        chunk = [];
        length = 0;
      }
      chunk.push(line);
      length += line.length + 1;
    }
    await writeAll(handle, toBytes(chunk));
  } finally {
    await handle.close();
  }
}
