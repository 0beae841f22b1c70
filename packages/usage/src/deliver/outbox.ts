import { open, stat } from "node:fs/promises";
import path from "node:path";
import type { Log } from "#util";
import type { UsageEvent } from "../events.ts";
import { appendLines, createEventWriter, readLines } from "../record/event-writer.ts";
import { type Disclosure, disclosed } from "../record/query-text.ts";
import type { EndpointHealth, SendResult } from "./endpoint.ts";
import { createEventFiles, type EventFiles, type UnsentFile } from "./event-files.ts";
import { createSender, type PlacedLine } from "./sender.ts";

export interface OutboxOptions {
  readonly folder: string;
  /** What logs call the receiver. */
  readonly target: string;
  readonly send: (lines: readonly string[]) => Promise<SendResult>;
  /** The receiver is the log of replicas, which may still lose what it accepted. Undefined: it is the endpoint. */
  readonly replicas?: {
    /** Called after each attempt, with the files of which everything was sent. */
    readonly onSent: (sent: readonly string[], files: EventFiles) => Promise<void>;
  };
  readonly health: Pick<EndpointHealth, "mayAsk" | "failed" | "succeeded">;
  readonly salt: () => Promise<string>;
  readonly disclosure: Disclosure;
  readonly now: () => number;
  readonly log: Log;
  /** Ends a delivery in progress. */
  readonly signal: AbortSignal;
  readonly commitMs: number;
  readonly limits: OutboxLimits;
}

export interface OutboxLimits {
  readonly memoryEvents: number;
  readonly diskBytes: number;
}

const MOST_REFUSED_BYTES = 16 * 1024 * 1024;

/** Events on their way to a receiver: in memory for a moment, then in a file, until the receiver accepts them. */
export function createOutbox(options: OutboxOptions) {
  const { folder, disclosure, health, replicas, signal, log, limits, commitMs, now } = options;
  let delivered = 0;
  let dropped = 0;
  const onDropped = (count: number): void => {
    // Once: an endpoint that is down for long drops some at every flush.
    if (dropped === 0) log.warn("usage: the buffer is full, so the oldest events are dropped.");
    dropped += count;
  };
  const files = createEventFiles({
    folder,
    maxBytes: limits.diskBytes,
    now,
    onDropped,
    keepsReceipts: replicas !== undefined,
  });
  /** Events in the file that is being appended to. */
  let appended = 0;
  const toLines = async (events: readonly UsageEvent[]): Promise<readonly string[]> => {
    const key = Object.values(disclosure).includes("hash") ? await options.salt() : "";
    return events.map((event) => JSON.stringify(disclosed(event, disclosure, key)));
  };
  const writer = createEventWriter({
    limit: limits.memoryEvents,
    commitMs,
    onDropped,
    retry: true,
    async store(events) {
      await files.append(await toLines(events));
      appended += events.length;
    },
    onFailure: (error) => log.warn(notWritable(folder, limits.memoryEvents, error)),
  });
  const sendAll = createSender({
    send: options.send,
    onRefused: (lines) => setAside(lines, options, onDropped),
    onDelivered(count) {
      delivered += count;
    },
  });

  /** Sends files, then events in memory. Resolves to what is left of each file, and whether everything was sent. */
  async function sendFiles(unsent: readonly string[], memory: readonly UsageEvent[]) {
    const ends = unsent.map(() => 0);
    let done: LinePlace | undefined;
    let isComplete = false;
    try {
      const before = delivered;
      const sent = await sendAll(linesOf(unsent, await toLines(memory), ends));
      done = sent.done;
      isComplete = sent.failure === undefined;
      // Events that were set aside are done, but the endpoint did not accept them.
      if (sent.failure !== undefined) health.failed(sent.failure);
      else if (delivered > before) health.succeeded();
    } catch (error) {
      health.failed({ reason: String(error), retryAfterMs: undefined });
    } finally {
      writer.settle(memory, done?.index === unsent.length ? done.end : 0);
    }
    const doneIn = (index: number): number => {
      if (done === undefined || index > done.index) return 0;
      return (index === done.index ? done.end : ends[index]) ?? 0;
    };
    return { rest: unsent.map((file, index) => ({ file, from: doneIn(index) })), isComplete };
  }

  /** Finishes files of which nothing is left. One that an older version appended to meanwhile is not among them. */
  async function settle(attempted: readonly UnsentFile[]): Promise<readonly UnsentFile[]> {
    const rest: UnsentFile[] = [];
    const sent: string[] = [];
    for (const { file, from } of attempted) {
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size <= from) sent.push(file);
      else rest.push({ file, from: replicas === undefined ? from : 0 });
    }
    if (replicas === undefined) await files.remove(...sent);
    else await replicas.onSent(sent, files);
    return rest;
  }

  /** Resolves to whether there are more files to send. */
  async function flushOnce(skipBackoff: boolean): Promise<boolean> {
    const isWritten = await writer.commit();
    const mayAsk = health.mayAsk(skipBackoff) && !signal.aborted;
    const more = await writer.between(() => {
      appended = 0;
      return files.claim(mayAsk);
    });
    const unsent = files.unsent();
    const memory = mayAsk && !isWritten ? writer.take() : [];
    if (!mayAsk || unsent.length + memory.length === 0) {
      await files.share(unsent.map((file) => ({ file, from: 0 })));
      return false;
    }
    const { rest, isComplete } = await sendFiles(unsent, memory);
    await files.share(await settle(rest));
    return more && isComplete && !signal.aborted;
  }

  let lastFlush: Promise<void> = Promise.resolve();
  return {
    files,
    add: writer.add,
    commit: writer.commit,
    /** Never rejects. */
    flush(skipBackoff: boolean): Promise<void> {
      lastFlush = lastFlush
        .then(async () => {
          while (await flushOnce(skipBackoff));
        })
        .catch((error: unknown) => log.warn(`usage: a flush failed, nothing was sent: ${String(error)}`));
      return lastFlush;
    },
    stop: writer.stop,
    counts: () => ({
      queued: writer.size() + appended,
      delivered,
      dropped,
      bufferWritable: writer.isWritable(),
    }),
  };
}

/** The end of a line in a file; the events in memory count as the last file, with the number of the line as its end. */
interface LinePlace {
  readonly index: number;
  readonly end: number;
}

/** Skips a file that another process has taken. Sets how far each file was read. */
async function* linesOf(
  files: readonly string[],
  memory: readonly string[],
  ends: number[],
): AsyncGenerator<PlacedLine<LinePlace>, void, void> {
  for (const [index, file] of files.entries()) {
    try {
      for await (const lines of readLines(file)) {
        for (const { text, end } of lines) {
          ends[index] = end;
          yield { text, at: { index, end } };
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  for (const [index, text] of memory.entries()) yield { text, at: { index: files.length, end: index + 1 } };
}

/** Moves events that the endpoint keeps refusing to a file for a person to inspect; they are never sent again. */
export async function setAside(
  lines: readonly string[],
  { folder, target, log }: Pick<OutboxOptions, "folder" | "target" | "log">,
  onDropped: (count: number) => void,
): Promise<void> {
  const file = path.join(folder, "analytics-refused.jsonl");
  const isWritten = await appendRefused(file, lines).catch(() => false);
  if (!isWritten) onDropped(lines.length);
  const fate = isWritten ? `moved to ${file}` : "dropped";
  log.warn(`usage: ${target} refused ${lines.length} events repeatedly, so they were ${fate}.`);
}

/** False when the file is full. */
async function appendRefused(file: string, lines: readonly string[]): Promise<boolean> {
  const handle = await open(file, "a+", 0o600);
  try {
    if ((await handle.stat()).size > MOST_REFUSED_BYTES) return false;
    await appendLines(handle, lines);
    await handle.datasync();
    return true;
  } finally {
    await handle.close();
  }
}

function notWritable(folder: string, limit: number, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `usage: cannot write to ${folder} (${code}); up to ${limit} events stay in memory until it is writable.`;
}
