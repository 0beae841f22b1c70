import { stat } from "node:fs/promises";
import { type EventLine, readLines } from "../record/event-file.ts";
import { createBatcher } from "./batch.ts";
import type { Answer, DeliveryFailure } from "./endpoint.ts";
import type { Part } from "./part-file.ts";

interface FilesDelivered {
  /** What is still to be delivered. */
  readonly rest: readonly Part[];
  /** Files with nothing left in them. */
  readonly finished: readonly string[];
  readonly failure: DeliveryFailure | undefined;
}

export interface Delivered extends FilesDelivered {
  /** How many of the lines in memory are delivered, from the first on. */
  readonly fromMemory: number;
}

export type Delivery = ReturnType<typeof createDelivery>;

type Send = (lines: readonly string[]) => Promise<Answer>;

export interface DeliveryOptions {
  readonly touch: (files: readonly string[]) => Promise<void>;
  /** Takes events that the endpoint keeps refusing, so that they do not block the others. */
  readonly onRefused: (lines: readonly string[]) => Promise<void>;
  readonly onDelivered: (count: number) => void;
}

const MOST_EVENTS = 500;
const MOST_BYTES = 1024 * 1024;
const MOST_REFUSALS = 5;

export function createDelivery(options: DeliveryOptions) {
  const sender = createSender(options);
  return {
    /** Sends the events of files, oldest first, then those in memory. Stops at the first failure. */
    async deliver(parts: readonly Part[], memory: readonly string[], send: Send): Promise<Delivered> {
      const files = await deliverFiles(parts, (lines) => sender.send(lines, send), sender, options);
      let { failure } = files;
      let fromMemory = 0;
      while (failure === undefined && fromMemory < memory.length) {
        const lines = memory.slice(fromMemory, fromMemory + sender.mostEvents());
        failure = await sender.send(lines, send);
        if (failure === undefined) fromMemory += lines.length;
      }
      return { ...files, fromMemory, failure };
    },
  };
}

/** Sends batches; splits those that are too large and sets aside those that are refused too often. */
function createSender({ onDelivered, onRefused }: DeliveryOptions) {
  let mostEvents = MOST_EVENTS;
  let refusals = 0;
  /** The last line of the batch that failed. */
  let cutAfter: string | undefined;

  async function send(lines: readonly string[], ask: Send): Promise<DeliveryFailure | undefined> {
    const answer = await ask(lines);
    if (answer.kind === "too-large" && lines.length > 1) {
      mostEvents = Math.ceil(lines.length / 2);
      const failure = await send(lines.slice(0, mostEvents), ask);
      return failure ?? send(lines.slice(Math.ceil(lines.length / 2)), ask);
    }
    if (answer.kind === "unavailable" || (answer.kind !== "accepted" && ++refusals < MOST_REFUSALS)) {
      cutAfter = lines.at(-1);
      return { retryAfterMs: undefined, ...answer };
    }
    if (answer.kind === "accepted") onDelivered(lines.length);
    else await onRefused(lines);
    refusals = 0;
    cutAfter = undefined;
    return undefined;
  }
  return { send, mostEvents: () => mostEvents, cutAfter: () => cutAfter };
}

async function deliverFiles(
  parts: readonly Part[],
  sendLines: (lines: readonly string[]) => Promise<DeliveryFailure | undefined>,
  { mostEvents, cutAfter }: ReturnType<typeof createSender>,
  { touch }: DeliveryOptions,
): Promise<FilesDelivered> {
  const batcher = createBatcher({ maxEvents: mostEvents(), maxBytes: MOST_BYTES, cutAfter: cutAfter() });
  const ends = parts.map(({ from }) => from);
  /** Where the current batch begins: everything before is done. */
  let begins: Position | undefined;

  const sendBatch = async (): Promise<DeliveryFailure | undefined> => {
    const failure = await sendLines(batcher.take());
    if (failure !== undefined) return failure;
    begins = undefined;
    await touch(parts.map(({ file }) => file));
    return undefined;
  };

  for await (const { index, line } of linesOf(parts)) {
    ends[index] = line.end;
    if (batcher.add(line.text) !== "added") continue;
    begins ??= { index, offset: line.start };
    const failure = batcher.isFull() ? await sendBatch() : undefined;
    if (failure !== undefined) return stoppedAt(parts, begins, failure);
  }
  const failure = begins === undefined ? undefined : await sendBatch();
  if (begins !== undefined && failure !== undefined) return stoppedAt(parts, begins, failure);
  return withoutGrowth(parts, ends);
}

interface Position {
  readonly index: number;
  readonly offset: number;
}

function stoppedAt(
  parts: readonly Part[],
  { index, offset }: Position,
  failure: DeliveryFailure,
): FilesDelivered {
  const rest = parts.slice(index).map((part, at) => (at === 0 ? { ...part, from: offset } : part));
  return { rest, finished: parts.slice(0, index).map(({ file }) => file), failure };
}

/** Skips a file that another process has taken. */
async function* linesOf(
  parts: readonly Part[],
): AsyncGenerator<{ readonly index: number; readonly line: EventLine }, void, void> {
  for (const [index, { file, from }] of parts.entries()) {
    try {
      for await (const lines of readLines(file, from)) for (const line of lines) yield { index, line };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Older versions append to the shared file even after another process took it; what they add is not lost. */
async function withoutGrowth(parts: readonly Part[], ends: readonly number[]): Promise<FilesDelivered> {
  const rest: Part[] = [];
  const finished: string[] = [];
  for (const [index, { file }] of parts.entries()) {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    const from = ends[index] ?? 0;
    if (size > from) rest.push({ file, from });
    else finished.push(file);
  }
  return { rest, finished, failure: undefined };
}
