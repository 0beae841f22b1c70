import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Log } from "#util";
import type { UsageEvent } from "../events.ts";
import { createEventWriter } from "../record/event-writer.ts";
import { appendLines } from "../record/json-lines.ts";
import { compactHistory } from "./history-files.ts";
import { historyFolder, monthFile } from "./month-file.ts";

const MOST_WAITING = 10_000;
const LARGEST_FILE = 64 * 1024 * 1024;
/** In practice, appends of this size do not interleave with those of other processes. */
const LARGEST_WRITE = 16 * 1024;

/** The usage history of this machine: one file per month, one line per event. It is sent nowhere. */
export function createHistory(folder: string, commitMs: number, now: () => number, log: Log) {
  const target = historyFolder(folder);
  let isCompacted = false;
  return createEventWriter({
    limit: MOST_WAITING,
    commitMs,
    onDropped: () => {},
    // A gap in a local statistic is logged once and not retried.
    retry: false,
    onFailure: (error) => log.warn(`usage: cannot write the history in ${target}: ${String(error)}.`),
    async store(events) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await append(path.join(target, monthFile(now())), events);
      if (isCompacted) return;
      isCompacted = true;
      // It only saves space, and the next process tries again.
      await compactHistory(folder, now()).catch(() => {});
    },
  });
}

async function append(file: string, events: readonly UsageEvent[]): Promise<void> {
  const handle = await open(file, "a+", 0o600);
  try {
    if ((await handle.stat()).size > LARGEST_FILE) throw new Error(`${file} has reached its largest size`);
    let chunk: string[] = [];
    let length = 0;
    for (const line of events.map((event) => JSON.stringify(event))) {
      if (length + line.length > LARGEST_WRITE) {
        await appendLines(handle, chunk);
        chunk = [];
        length = 0;
      }
      chunk.push(line);
      length += line.length + 1;
    }
    await appendLines(handle, chunk);
  } finally {
    await handle.close();
  }
}
