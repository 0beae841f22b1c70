import { open, rm } from "node:fs/promises";
import path from "node:path";
import type { Log } from "#util";
import type { UsageEvent } from "../events.ts";
import { appendBytes, toBytes } from "../record/event-file.ts";
import { type Disclosure, disclosed } from "../record/query-text.ts";
import { createSpool } from "../record/spool.ts";
import { type BufferFile, type Claimed, createBufferFile } from "./buffer-file.ts";
import { createDelivery, type Delivered, type Delivery } from "./delivery.ts";
import type { Answer, EndpointHealth } from "./endpoint.ts";
import { createJournal } from "./journal.ts";

export interface OutboxOptions {
  readonly folder: string;
  /** What logs call the receiver. */
  readonly target: string;
  readonly send: (lines: readonly string[]) => Promise<Answer>;
  /** What becomes of files of which everything was sent. */
  readonly finish: (files: readonly string[]) => Promise<void>;
  /** Whether a file of which a part was sent stays whole: what was sent may still be lost. */
  readonly keepsHeads: boolean;
  /** Whether files of a server with replicas are sent too, which waits for their delivery. */
  readonly adoptSent: boolean;
  readonly health: EndpointHealth;
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

/** Events on their way to an endpoint: in memory for a moment, then on disk, until the endpoint accepts them. */
export function createOutbox(options: OutboxOptions) {
  const { folder, log, limits, now } = options;
  let delivered = 0;
  let dropped = 0;
  const drop = (count: number): void => {
    // Once: an endpoint that is down for long drops some at every flush.
    if (dropped === 0) log.warn("usage: the buffer is full, so the oldest events are dropped.");
    dropped += count;
  };
  const spool = createJournalSpool(options, drop);
  const buffer = createBufferFile({
    folder,
    maxBytes: limits.diskBytes,
    now,
    onDropped: drop,
    adoptSent: options.adoptSent,
  });
  const delivery = createDelivery({
    touch: buffer.touch,
    onRefused: (lines) => setAside(lines, options, drop),
    onDelivered(count) {
      delivered += count;
    },
  });
  const flusher = createFlusher(options, spool, buffer, delivery, () => delivered);
  let lastFlush: Promise<void> = Promise.resolve();
  return {
    add: spool.add,
    commit: spool.commit,
    /** Never rejects. */
    flush(skipBackoff: boolean): Promise<void> {
      lastFlush = lastFlush
        .then(async () => {
          while (await flusher.flush(skipBackoff));
        })
        .catch((error: unknown) => log.warn(`usage: a flush failed, nothing was sent: ${String(error)}`));
      return lastFlush;
    },
    /** Takes files of this process that are to be sent again. */
    resend: flusher.resend,
    stop: spool.stop,
    counts: () => ({ queued: spool.size(), delivered, dropped, bufferWritable: spool.isWritable() }),
  };
}

/** Writes new events to a journal; they stay in memory while the disk does not accept them. */
function createJournalSpool(options: OutboxOptions, onDropped: (count: number) => void) {
  const { folder, disclosure, log, commitMs, limits } = options;
  const journal = createJournal(folder);
  let inJournal = 0;

  async function toLines(events: readonly UsageEvent[]): Promise<readonly string[]> {
    const key = Object.values(disclosure).includes("hash") ? await options.salt() : "";
    return events.map((event) => JSON.stringify(disclosed(event, disclosure, key)));
  }

  const spool = createSpool({
    limit: limits.memoryEvents,
    commitMs,
    onDropped,
    retry: true,
    async store(events) {
      await journal.append(await toLines(events));
      inJournal += events.length;
    },
    onFailure: (error) => log.warn(notWritable(folder, limits.memoryEvents, error)),
  });

  return {
    ...spool,
    /** Returns the finished journal, if there is one; the next event begins another. */
    rotate: (): Promise<string | undefined> =>
      spool.between(() => {
        inJournal = 0;
        return journal.rotate();
      }),
    /** Returns the events in memory as lines, and a function that takes how many of them were delivered. */
    async takeMemory() {
      const events = spool.take();
      return { lines: await toLines(events), settle: (done: number) => spool.settle(events, done) };
    },
    size: (): number => spool.size() + inJournal,
  };
}

/** Sends all or some events. */
function createFlusher(
  options: OutboxOptions,
  spool: ReturnType<typeof createJournalSpool>,
  buffer: BufferFile,
  delivery: Delivery,
  delivered: () => number,
) {
  const { health, signal } = options;
  /** Files of this process that the disk did not let it merge into the shared one. */
  let held: readonly string[] = [];

  /** The files to send; during a backoff, only those that go into the shared file. */
  async function gather(all: boolean): Promise<Claimed> {
    const own = await spool.rotate();
    await buffer.touch(held);
    const claimed = all ? await buffer.claim() : { files: [], more: false };
    const files = [...claimed.files, ...held, ...(own === undefined ? [] : [own])];
    held = [];
    return { files, more: claimed.more };
  }

  /** Resolves to whether there are more to send. */
  async function flush(skipBackoff: boolean): Promise<boolean> {
    const isWritten = await spool.commit();
    const ask = health.mayAsk(skipBackoff) && !signal.aborted;
    const { files, more } = await gather(ask);
    const parts = files.map((file) => ({ file, from: 0 }));
    const memory = ask && !isWritten ? await spool.takeMemory() : undefined;
    const lines = memory?.lines ?? [];
    let result: Delivered = { rest: parts, finished: [], fromMemory: 0, failure: undefined };
    try {
      if (ask && parts.length + lines.length > 0) {
        const before = delivered();
        result = await delivery.deliver(parts, lines, options.send);
        // Events that were set aside are done, but the endpoint did not accept them.
        if (result.failure !== undefined) health.failed(result.failure);
        else if (delivered() > before) health.succeeded();
      }
    } catch (error) {
      const failure = { reason: String(error), retryAfterMs: undefined };
      result = { ...result, failure };
      health.failed(failure);
    } finally {
      memory?.settle(result.fromMemory);
    }
    await options.finish(result.finished);
    const rest = options.keepsHeads ? result.rest.map(({ file }) => ({ file, from: 0 })) : result.rest;
    held = [...(await buffer.putBack(rest)), ...held];
    return more && result.failure === undefined && !signal.aborted;
  }
  return {
    flush,
    resend(files: readonly string[]): void {
      held = [...held, ...files];
    },
  };
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
    await appendBytes(handle, toBytes(lines));
    await handle.datasync();
    return true;
  } finally {
    await handle.close();
  }
}

/** Removes files of which everything was sent. */
export async function removeFiles(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true }).catch(() => {})));
}

function notWritable(folder: string, limit: number, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `usage: cannot write to ${folder} (${code}); up to ${limit} events stay in memory until it is writable.`;
}
