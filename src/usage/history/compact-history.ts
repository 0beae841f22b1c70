import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { writeAll } from "../record/append-lines.ts";
import { boundDay } from "./bound-day.ts";
import { dailyOf, historyFile, historyFolder, monthOf } from "./history-files.ts";
import { tallySegment } from "./tally-segment.ts";

/** A month's events stay for so long after it; nobody appends to them by then. */
const MONTHS_OF_EVENTS = 2;
const MONTHS_OF_COUNTS = 36;

/**
 * Makes counts of old months' events, and forgets very old counts. Several processes may do so at once: they write the
 * same file and rename it into place, and a killed one leaves the events, which count until the counts are there.
 */
export async function compactHistory(folder: string, now: number): Promise<void> {
  const target = historyFolder(folder);
  const names = await readdir(target);
  const eventsFrom = monthsBefore(now, MONTHS_OF_EVENTS);
  const countsFrom = monthsBefore(now, MONTHS_OF_COUNTS);
  for (const name of names) {
    const file = historyFile(name);
    if (file === undefined) continue;
    if (file.month < countsFrom) await rm(path.join(target, name), { force: true });
    else if (file.kind === "events" && file.month <= eventsFrom) {
      const isCounted = names.includes(dailyOf(file.month));
      if (!isCounted) await writeDaily(target, name, file.month);
      await rm(path.join(target, name), { force: true });
    }
  }
}

async function writeDaily(target: string, name: string, month: string): Promise<void> {
  const tallies = await tallySegment(path.join(target, name)).catch(ignoreMissing);
  // Another process has done it since.
  if (tallies === undefined) return;
  const days = tallies.map(boundDay);
  const temporary = path.join(target, `${dailyOf(month)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await writeAll(handle, Buffer.from(`${JSON.stringify({ version: 1, days })}\n`));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path.join(target, dailyOf(month)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function monthsBefore(now: number, months: number): string {
  const date = new Date(now);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
}
