import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { type Log, writeFileAtomic } from "#util";
import type { UsageEvent, UsageEvents } from "../events.ts";
import { appendLines, createEventWriter } from "../record/event-writer.ts";
import { boundDay, type DayTally } from "./day-tally.ts";
import { tallyFile } from "./tally-events.ts";

/** A month's events are deleted this many months later, once their counts are written; no process appends to them by then. */
const MONTHS_OF_EVENTS = 2;
const MONTHS_OF_COUNTS = 36;

/** The file with a month's daily counts, which replace the month's events. */
const countsFile = (month: string): string => `${month}.daily.json`;

async function listHistory(target: string) {
  const names = await readdir(target).catch((): string[] => []);
  return names.sort().flatMap((name) => {
    const found = /^(\d{4}-(?:0[1-9]|1[0-2]))\.(jsonl|daily\.json)$/.exec(name);
    if (found === null) return [];
    const month = found[1] ?? "";
    const kind = found[2] === "jsonl" ? "events" : "counts";
    // Events of a month that has counts are not read.
    return [{ name, month, kind, isCounted: names.includes(countsFile(month)) }];
  });
}

/**
 * The days since `since`, of one caller or of all. A day may come in several parts. Files that cannot be read are skipped. The
 * counts of old months name no callers, so one caller's history begins with the oldest events.
 */
export async function readHistory(
  folder: string,
  since: string,
  caller?: string,
): Promise<readonly DayTally[]> {
  const target = historyFolder(folder);
  const tallies: DayTally[] = [];
  for (const { name, month, kind, isCounted } of await listHistory(target)) {
    // An event just before midnight may be in the next month's file, but never in an earlier one.
    if (month < since.slice(0, 7) || (kind === "events" && isCounted)) continue;
    const file = path.join(target, name);
    if (kind === "events") tallies.push(...(await tallyFile(file, caller).catch(() => [])));
    else if (caller === undefined) tallies.push(...(await readCounts(file).catch(() => [])));
  }
  return tallies.filter(({ day }) => day >= since);
}

/**
 * Replaces old months' events by daily counts, and deletes very old counts. Several processes may do so at once: they write
 * the same file atomically, and a killed one leaves the events, which are read until the counts are there.
 */
export async function compactHistory(folder: string, now: number): Promise<void> {
  const target = historyFolder(folder);
  for (const { name, month, kind, isCounted } of await listHistory(target)) {
    const file = path.join(target, name);
    if (month < monthsBefore(now, MONTHS_OF_COUNTS)) await rm(file, { force: true });
    else if (kind === "events" && month <= monthsBefore(now, MONTHS_OF_EVENTS)) {
      if (!isCounted) await writeCounts(file, path.join(target, countsFile(month)));
      await rm(file, { force: true });
    }
  }
}

async function writeCounts(events: string, counts: string): Promise<void> {
  const tallies = await tallyFile(events).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  // Without the events, another process has done it meanwhile.
  if (tallies === undefined) return;
  const days = tallies.map(boundDay);
  await writeFileAtomic(counts, `${JSON.stringify({ version: 1, days })}\n`, { flush: true });
}

function monthsBefore(now: number, months: number): string {
  const date = new Date(now);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
}

async function readCounts(file: string): Promise<readonly DayTally[]> {
  const { version, days } = JSON.parse(await readFile(file, "utf8")) as {
    version: unknown;
    days: DayTally[];
  };
  return version === 1 && Array.isArray(days) ? days.filter(isDayTally) : [];
}

/** The file is ours and written atomically, so only its shape is checked. */
function isDayTally(value: DayTally): boolean {
  const { day, events, skills, noMatch, ambiguous, feedback, scripts } = value;
  const lists = [events, skills, noMatch, ambiguous, feedback, scripts];
  return /^\d{4}-\d\d-\d\d$/.test(day) && lists.every(Array.isArray);
}

const MOST_WAITING = 10_000;
/** Nothing is appended to a file of this size. */
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

function historyFolder(folder: string): string {
  return path.join(folder, "usage");
}

/** `2026-11` for a time in November 2026. Months are UTC months, so that no file depends on the time zone. */
const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The file with a month's events, one per line. */
function monthFile(time: number): string {
  return `${monthOf(time)}.jsonl`;
}

/**
 * Appends what a hook suggested to the usage history, with one synchronous write: the process of a hook ends at once. What the
 * prompt said is not recorded.
 */
export function recordSuggestions(
  ownFolder: string,
  suggestions: readonly { readonly name: string; readonly isNative: boolean }[],
  client: string,
  now: () => number,
): void {
  const folder = historyFolder(ownFolder);
  const timestamp = new Date(now()).toISOString();
  // No event id: this event is never delivered, and node:crypto, which makes ids, takes a while to load.
  const lines = suggestions.map(({ name, isNative }) =>
    JSON.stringify({
      type: "skill_suggested",
      timestamp,
      data: { skill_path: name, client, native: isNative } satisfies UsageEvents["skill_suggested"],
    } satisfies Omit<UsageEvent, "server_id" | "event_id">),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = openSync(path.join(folder, monthFile(now())), "a+", 0o600);
  try {
    const { size } = fstatSync(file);
    if (size > LARGEST_FILE) return;
    const last = Buffer.alloc(1);
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    // A killed process may have left the file in the middle of a line.
    const start = size > 0 && last.toString() !== "\n" ? "\n" : "";
    writeSync(file, `${start}${lines.join("\n")}\n`);
  } finally {
    closeSync(file);
  }
}
