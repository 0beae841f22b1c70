import { rm } from "node:fs/promises";
import type { Log } from "../../system/log.ts";
import type { UsageEvent } from "../events.ts";
import { createGroupCommit } from "../record/group-commit.ts";
import { createLineQueue } from "../record/line-queue.ts";
import { type QueryText, readSalt, withQueryText } from "../record/query-text.ts";
import { type BufferFile, type Claimed, createBufferFile } from "./buffer-file.ts";
import { createDelivery, type Delivered, type Delivery } from "./deliver.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import { createJournal, type Journal } from "./journal.ts";
import { thisOwner } from "./owner.ts";
import { post } from "./post.ts";
import { asideFile, setAside } from "./set-aside.ts";

/** Events on their way to an endpoint: in memory for a moment, then on disk, until the endpoint has taken them. */
export interface Outbox {
  add(event: UsageEvent): void;
  /** True once everything added so far is where a killed process leaves it to the others. */
  commit(): Promise<boolean>;
  /** Sends what there is. Never rejects. `inPerson` does not wait for a backoff. */
  flush(inPerson: boolean): Promise<void>;
  stop(): void;
  readonly counts: () => OutboxCounts;
}

interface OutboxCounts {
  readonly queued: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly bufferWritable: boolean;
}

export interface OutboxOptions {
  readonly folder: string;
  readonly endpoint: URL;
  readonly health: EndpointHealth;
  readonly query: QueryText;
  readonly now: () => number;
  readonly log: Log;
  /** Ends what is under way. */
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

interface Disk {
  readonly journal: Journal;
  readonly buffer: BufferFile;
  readonly delivery: Delivery;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { folder, endpoint, health, query, now, log, signal, commitMs, timeoutMs, limits } = options;
  let delivered = 0;
  let dropped = 0;
  let inJournal = 0;
  let writable = true;
  let warned = false;
  /** Files of this process that the disk did not let it merge into the shared one. */
  let held: readonly string[] = [];
  let disk: Promise<Disk> | undefined;
  let salt: Promise<string> | undefined;
  let lastFlush: Promise<void> = Promise.resolve();

  const onDropped = (count: number): void => {
    // Said once: an endpoint that is down for a week drops some at every flush.
    if (dropped === 0) log.warn("usage: events that could not be delivered are dropped, the oldest first.");
    dropped += count;
  };
  const queue = createLineQueue(limits.memoryEvents, onDropped);

  async function openDisk(): Promise<Disk> {
    const owner = await thisOwner();
    const buffer = createBufferFile({ folder, owner, maxBytes: limits.diskBytes, now, onDropped });
    const delivery = createDelivery({
      maxAgeMs: limits.diskAgeMs,
      now,
      touch: buffer.touch,
      setAside: putAside,
      onDelivered: (count) => {
        delivered += count;
      },
      onExpired: onDropped,
    });
    return { journal: createJournal(folder, owner), buffer, delivery };
  }
  const theDisk = (): Promise<Disk> => (disk ??= openDisk());

  async function putAside(lines: readonly string[]): Promise<void> {
    const kept = await setAside(folder, lines).catch(() => false);
    const fate = kept ? `moved to ${asideFile(folder)}` : "dropped";
    if (!kept) onDropped(lines.length);
    log.warn(`usage: ${endpoint.host} refused ${lines.length} events again and again, so they were ${fate}.`);
  }

  async function toLine(): Promise<(event: UsageEvent) => string> {
    const key = query === "hash" ? await (salt ??= readSalt(folder)) : "";
    return (event) => JSON.stringify(withQueryText(event, query, key));
  }

  async function write(): Promise<boolean> {
    if (queue.size() === 0) return true;
    const lines = queue.take(await toLine());
    // All there is, is on its way from memory to the endpoint.
    if (lines.length === 0) return false;
    try {
      await (await theDisk()).journal.append(lines);
      queue.putBack(lines, []);
      inJournal += lines.length;
      writable = true;
    } catch (error) {
      queue.putBack(lines, lines);
      writable = false;
      if (!warned) log.warn(notWritable(folder, limits.memoryEvents, error));
      warned = true;
    }
    return writable;
  }
  const commits = createGroupCommit(write, commitMs);

  /** The files to send. When the endpoint is left alone, only those that are to be merged into the shared one. */
  async function gather({ journal, buffer }: Disk, all: boolean): Promise<Claimed> {
    const own = await commits.between(async () => {
      inJournal = 0;
      return journal.rotate();
    });
    await buffer.touch(held);
    const claimed = all ? await buffer.claim() : { files: [], more: false };
    held = [...claimed.files, ...held, ...(own === undefined ? [] : [own])];
    return { files: held, more: claimed.more };
  }

  /** Sends what there is, or a part of it. True when there is more that may be sent. */
  async function flushSome(inPerson: boolean): Promise<boolean> {
    const isWritten = await commits.now();
    const opened = await theDisk();
    const ask = health.mayAsk(inPerson) && !signal.aborted;
    const { files, more } = await gather(opened, ask);
    const pieces = files.map((file) => ({ file, from: 0 }));
    const memory = ask && !isWritten ? queue.take(await toLine()) : [];
    let result: Delivered = { rest: pieces, finished: [], fromMemory: 0, failure: undefined };
    try {
      if (ask && pieces.length + memory.length > 0) {
        const before = delivered;
        result = await opened.delivery.deliver(pieces, memory, (batch) =>
          post(batch, { endpoint, timeoutMs, now }, signal),
        );
        // Events that were moved aside are dealt with, but nobody took them.
        if (result.failure !== undefined) health.failed(result.failure);
        else if (delivered > before) health.succeeded();
      }
    } catch (error) {
      const failure = { reason: String(error), retryAfterMs: undefined };
      result = { ...result, failure };
      health.failed(failure);
    } finally {
      queue.putBack(memory, memory.slice(result.fromMemory));
    }
    await Promise.all(result.finished.map((file) => rm(file, { force: true }).catch(() => {})));
    held = await opened.buffer.putBack(result.rest);
    return more && result.failure === undefined && !signal.aborted;
  }

  async function flushAll(inPerson: boolean): Promise<void> {
    while (await flushSome(inPerson));
  }

  return {
    add(event) {
      queue.add(event);
      commits.soon();
    },
    commit: commits.now,
    flush(inPerson) {
      lastFlush = lastFlush
        .then(() => flushAll(inPerson))
        .catch((error: unknown) => {
          log.warn(`usage: a flush failed, so nothing was sent: ${String(error)}`);
        });
      return lastFlush;
    },
    stop: commits.stop,
    counts: () => ({ queued: queue.size() + inJournal, delivered, dropped, bufferWritable: writable }),
  };
}

function notWritable(folder: string, limit: number, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `usage: ${folder} cannot be written (${code}), so up to ${limit} events are kept in memory only until it can.`;
}
