import { open, rm } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../system/log.ts";
import type { UsageEvent } from "../events.ts";
import { appendBytes, toBytes } from "../record/event-file.ts";
import { type QueryText, readSalt, withQueryText } from "../record/query-text.ts";
import { createSpool } from "../record/spool.ts";
import { type BufferFile, type Claimed, createBufferFile } from "./buffer-file.ts";
import { createDelivery, type Delivered, type Delivery } from "./delivery.ts";
import { type EndpointHealth, post } from "./endpoint.ts";
import { createJournal } from "./journal.ts";

export interface OutboxOptions {
  readonly folder: string;
  readonly endpoint: URL;
  readonly health: EndpointHealth;
  readonly query: QueryText;
  readonly now: () => number;
  readonly log: Log;
  /** Ends a delivery in progress. */
  readonly signal: AbortSignal;
  readonly commitMs: number;
  readonly timeoutMs: number;
  readonly limits: OutboxLimits;
}

export interface OutboxLimits {
  readonly memoryEvents: number;
  readonly diskBytes: number;
  readonly diskAgeMs: number;
}

const MOST_REFUSED_BYTES = 16 * 1024 * 1024;

/** Events on their way to an endpoint: in memory for a moment, then on disk, until the endpoint accepts them. */
export function createOutbox(options: OutboxOptions) {
  const { folder, log, limits, now } = options;
  let delivered = 0;
  let dropped = 0;
  const drop = (count: number): void => {
    // Once: an endpoint that is down for a week drops some at every flush.
    if (dropped === 0) log.warn("usage: the buffer is full or too old, so the oldest events are dropped.");
    dropped += count;
  };
  const spool = createJournalSpool(options, drop);
  const buffer = createBufferFile({ folder, maxBytes: limits.diskBytes, now, onDropped: drop });
  const delivery = createDelivery({
    maxAgeMs: limits.diskAgeMs,
    now,
    touch: buffer.touch,
    onRefused: (lines) => setAside(lines, options, drop),
    onDelivered(count) {
      delivered += count;
    },
    onExpired: drop,
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
          while (await flusher(skipBackoff));
        })
        .catch((error: unknown) => log.warn(`usage: a flush failed, nothing was sent: ${String(error)}`));
      return lastFlush;
    },
    stop: spool.stop,
    counts: () => ({ queued: spool.size(), delivered, dropped, bufferWritable: spool.isWritable() }),
  };
}

/** Writes new events to a journal; they stay in memory while the disk does not accept them. */
function createJournalSpool(options: OutboxOptions, onDropped: (count: number) => void) {
  const { folder, query, log, commitMs, limits } = options;
  const journal = createJournal(folder);
  let inJournal = 0;
  let salt: Promise<string> | undefined;

  async function toLines(events: readonly UsageEvent[]): Promise<readonly string[]> {
    const key = query === "hash" ? await (salt ??= readSalt(folder)) : "";
    return events.map((event) => JSON.stringify(withQueryText(event, query, key)));
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

/** Returns a function that sends all or some events and resolves to whether there are more to send. */
function createFlusher(
  options: OutboxOptions,
  spool: ReturnType<typeof createJournalSpool>,
  buffer: BufferFile,
  delivery: Delivery,
  delivered: () => number,
): (skipBackoff: boolean) => Promise<boolean> {
  const { health, signal } = options;
  /** Files of this process that the disk did not let it merge into the shared one. */
  let held: readonly string[] = [];

  /** The files to send; during a backoff, only those that go into the shared file. */
  async function gather(all: boolean): Promise<Claimed> {
    const own = await spool.rotate();
    await buffer.touch(held);
    const claimed = all ? await buffer.claim() : { files: [], more: false };
    held = [...claimed.files, ...held, ...(own === undefined ? [] : [own])];
    return { files: held, more: claimed.more };
  }

  return async (skipBackoff) => {
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
        result = await delivery.deliver(parts, lines, (batch) => post(batch, options, signal));
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
    await Promise.all(result.finished.map((file) => rm(file, { force: true }).catch(() => {})));
    held = await buffer.putBack(result.rest);
    return more && result.failure === undefined && !signal.aborted;
  };
}

/** Moves events that the endpoint keeps refusing to a file for a person to inspect; they are never sent again. */
async function setAside(
  lines: readonly string[],
  { folder, endpoint, log }: OutboxOptions,
  onDropped: (count: number) => void,
): Promise<void> {
  const file = path.join(folder, "analytics-refused.jsonl");
  const isWritten = await appendRefused(file, lines).catch(() => false);
  if (!isWritten) onDropped(lines.length);
  const fate = isWritten ? `moved to ${file}` : "dropped";
  log.warn(`usage: ${endpoint.host} refused ${lines.length} events repeatedly, so they were ${fate}.`);
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

function notWritable(folder: string, limit: number, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `usage: cannot write to ${folder} (${code}); up to ${limit} events stay in memory until it is writable.`;
}
