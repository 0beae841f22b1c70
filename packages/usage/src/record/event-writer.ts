import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { UsageEvent } from "../events.ts";

/** Events that are in memory only. When there are too many, the oldest are dropped. */
export function createEventQueue(limit: number, onDropped: (count: number) => void) {
  let waiting: UsageEvent[] = [];
  let taken = 0;

  const enforceLimit = (): void => {
    const excess = Math.min(waiting.length, waiting.length + taken - limit);
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    onDropped(excess);
  };
  return {
    add(event: UsageEvent): void {
      waiting.push(event);
      enforceLimit();
    },
    /** Takes all events, oldest first. They count towards the limit until `settle`. */
    take(): readonly UsageEvent[] {
      const events = waiting;
      waiting = [];
      taken += events.length;
      return events;
    },
    /** Ends a `take`: the first `done` events are stored or delivered, the others return to their place. */
    settle(events: readonly UsageEvent[], done: number): void {
      taken -= events.length;
      // Several may take before the first settles; the ids sort by age.
      if (done < events.length)
        waiting = [...events.slice(done), ...waiting].sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
      enforceLimit();
    },
    size: () => waiting.length + taken,
  };
}

interface EventWriterOptions {
  readonly limit: number;
  readonly commitMs: number;
  readonly onDropped: (count: number) => void;
  readonly store: (events: readonly UsageEvent[]) => Promise<void>;
  /** Whether events that could not be stored stay in memory. */
  readonly retry: boolean;
  /** Called for the first failure only. */
  readonly onFailure: (error: unknown) => void;
}

/** Collects events in memory for a moment and stores them together, with one write. */
export function createEventWriter(options: EventWriterOptions) {
  const queue = createEventQueue(options.limit, options.onDropped);
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let writable = true;
  let failed = false;

  async function write(): Promise<boolean> {
    if (queue.size() === 0) return true;
    const events = queue.take();
    // A flush has taken all of them, and may yet return some.
    if (events.length === 0) return false;
    try {
      await options.store(events);
      queue.settle(events, events.length);
      writable = true;
    } catch (error) {
      queue.settle(events, options.retry ? 0 : events.length);
      writable = false;
      if (!failed) options.onFailure(error);
      failed = true;
    }
    return writable;
  }

  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  /** Runs an action while nothing is being stored. */
  const between = <R>(action: () => Promise<R>): Promise<R> => {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  };
  /** Resolves to true once everything added so far is stored. */
  const commit = (): Promise<boolean> => {
    stop();
    return between(write);
  };

  return {
    add(event: UsageEvent): void {
      queue.add(event);
      timer ??= setTimeout(() => void commit(), options.commitMs).unref();
    },
    commit,
    between,
    take: queue.take,
    settle: queue.settle,
    size: queue.size,
    isWritable: (): boolean => writable,
    stop,
  };
}

const NEWLINE = 0x0a;
/** No event is this long: more bytes without a line end are garbage, and are returned in pieces. */
const LONGEST_LINE = 1024 * 1024;

export interface StoredLine {
  readonly text: string;
  /** The byte after the line and its line end. */
  readonly end: number;
}

/** Reads the lines of a file up to its current end, a chunk at a time. The last one may be torn. */
export async function* readLines(file: string): AsyncGenerator<readonly StoredLine[], void, void> {
  let start = 0;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([carried, chunk]);
    const lines: StoredLine[] = [];
    let used = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, used)) {
      lines.push({ text: bytes.toString("utf8", used, at), end: start + at + 1 });
      used = at + 1;
    }
    if (bytes.length - used > LONGEST_LINE) {
      lines.push({ text: bytes.toString("utf8", used), end: start + bytes.length });
      used = bytes.length;
    }
    if (lines.length > 0) yield lines;
    start += used;
    carried = bytes.subarray(used);
  }
  if (carried.length > 0) yield [{ text: carried.toString("utf8"), end: start + carried.length }];
}

/** Undefined for a line that a killed process or a full disk cut off, and for garbage. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** Appends on a line of its own: a failed or killed write may have left the file in the middle of one. */
export async function appendLines(handle: FileHandle, lines: readonly string[]): Promise<void> {
  await endTornLine(handle);
  await writeAll(handle, Buffer.from(lines.map((line) => `${line}\n`).join("")));
}

/** Appends a file, from a byte on, to another one, and waits until it is on the disk. */
export async function appendFile(file: string, from: number, target: string): Promise<void> {
  const sink = await open(target, "a+", 0o600);
  try {
    await endTornLine(sink);
    for await (const chunk of createReadStream(file, { start: from }) as AsyncIterable<Buffer>)
      await writeAll(sink, chunk);
    await sink.datasync();
  } finally {
    await sink.close();
  }
}

async function endTornLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  if (last[0] !== NEWLINE) await writeAll(handle, Buffer.from("\n"));
}

/** A nearly full disk accepts a part of a write without an error. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error("the disk accepted no data"), { code: "ENOSPC" });
    written += bytesWritten;
  }
}

/** Where the newest `keepBytes` of a file begin, at a line start, and how many lines come before. */
export async function newestLines(
  file: string,
  keepBytes: number,
): Promise<{ readonly from: number; readonly skipped: number }> {
  const { size } = await stat(file);
  let skipped = 0;
  for await (const lines of readLines(file)) {
    for (const { end } of lines) {
      skipped++;
      if (size - end <= keepBytes) return { from: end, skipped };
    }
  }
  return { from: size, skipped };
}
