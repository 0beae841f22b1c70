import { stat } from "node:fs/promises";
import { readLines } from "../record/read-lines.ts";
import { type Batch, batchOf, createBatcher } from "./batch.ts";
import type { Piece } from "./piece.ts";
import type { Answer } from "./post.ts";

export interface DeliveryFailure {
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
}

export interface Delivered {
  /** What is still to be delivered, in files. */
  readonly rest: readonly Piece[];
  /** Files with nothing left in them. */
  readonly finished: readonly string[];
  /** How many of the lines in memory are delivered, from the first on. */
  readonly fromMemory: number;
  readonly failure: DeliveryFailure | undefined;
}

export interface Delivery {
  /** Sends the events of files, oldest first, then those in memory. Stops at the first failure. */
  deliver(pieces: readonly Piece[], memory: readonly string[], send: Send): Promise<Delivered>;
}

type Send = (batch: Batch) => Promise<Answer>;

export interface DeliveryOptions {
  readonly maxAgeMs: number;
  readonly now: () => number;
  readonly touch: (files: readonly string[]) => Promise<void>;
  /** Takes events that the endpoint refused again and again, so that they do not block the others. */
  readonly setAside: (lines: readonly string[]) => Promise<void>;
  readonly onDelivered: (count: number) => void;
  readonly onExpired: (count: number) => void;
}

const MOST_EVENTS = 500;
const MOST_BYTES = 1024 * 1024;
const MOST_REFUSALS = 5;

export function createDelivery(options: DeliveryOptions): Delivery {
  let mostEvents = MOST_EVENTS;
  let refusals = 0;
  /** The last line of the batch that failed. */
  let cutAfter: string | undefined;

  async function sendLines(lines: readonly string[], send: Send): Promise<DeliveryFailure | undefined> {
    const answer = await send(batchOf(lines));
    if (answer.kind === "too-large" && lines.length > 1) {
      const half = Math.ceil(lines.length / 2);
      mostEvents = half;
      const failure = await sendLines(lines.slice(0, half), send);
      return failure ?? sendLines(lines.slice(half), send);
    }
    if (answer.kind === "accepted") {
      refusals = 0;
      cutAfter = undefined;
      options.onDelivered(lines.length);
      return undefined;
    }
    cutAfter = lines.at(-1);
    if (answer.kind === "unavailable") return answer;
    refusals++;
    if (refusals < MOST_REFUSALS) return { reason: answer.reason, retryAfterMs: undefined };
    await options.setAside(lines);
    refusals = 0;
    cutAfter = undefined;
    return undefined;
  }

  return {
    async deliver(pieces, memory, send) {
      const batcher = createBatcher({
        maxEvents: mostEvents,
        maxBytes: MOST_BYTES,
        oldest: options.now() - options.maxAgeMs,
        cutAfter,
      });
      const ends = pieces.map(({ from }) => from);
      /** Where the batch in the making begins: all before it is dealt with. */
      let begins: { readonly index: number; readonly offset: number } | undefined;
      let expired = 0;
      /** Old events within that batch; it decides whether they are counted now or seen again. */
      let expiredWithin = 0;

      const stopped = (failure: DeliveryFailure): Delivered => {
        const { index, offset } = begins ?? { index: pieces.length, offset: 0 };
        const rest = pieces.slice(index).map((piece, at) => (at === 0 ? { ...piece, from: offset } : piece));
        const finished = pieces.slice(0, index).map(({ file }) => file);
        return { rest, finished, fromMemory: 0, failure };
      };
      const sendBatch = async (): Promise<DeliveryFailure | undefined> => {
        const failure = await sendLines(batcher.take(), send);
        if (failure === undefined) {
          begins = undefined;
          expired += expiredWithin;
          expiredWithin = 0;
          await options.touch(pieces.map(({ file }) => file));
        }
        return failure;
      };

      try {
        for (const [index, { file, from }] of pieces.entries()) {
          for await (const lines of linesIfThere(file, from)) {
            for (const { text, start, end } of lines) {
              ends[index] = end;
              const outcome = batcher.add(text);
              if (outcome === "expired" && begins === undefined) expired++;
              else if (outcome === "expired") expiredWithin++;
              if (outcome !== "added") continue;
              begins ??= { index, offset: start };
              const failure = batcher.isFull() ? await sendBatch() : undefined;
              if (failure !== undefined) return stopped(failure);
            }
          }
        }
        const failure = begins === undefined ? undefined : await sendBatch();
        if (failure !== undefined) return stopped(failure);
      } finally {
        if (expired > 0) options.onExpired(expired);
      }

      const { rest, finished } = await grown(pieces, ends);
      let fromMemory = 0;
      while (fromMemory < memory.length) {
        const lines = memory.slice(fromMemory, fromMemory + mostEvents);
        const failure = await sendLines(lines, send);
        if (failure !== undefined) return { rest, finished, fromMemory, failure };
        fromMemory += lines.length;
      }
      return { rest, finished, fromMemory, failure: undefined };
    },
  };
}

/** A file that another process took away holds nothing for us. */
async function* linesIfThere(file: string, from: number): ReturnType<typeof readLines> {
  try {
    yield* readLines(file, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Older versions append to the shared file, and may do so after it was taken: what came late stays. */
async function grown(
  pieces: readonly Piece[],
  ends: readonly number[],
): Promise<Pick<Delivered, "rest" | "finished">> {
  const rest: Piece[] = [];
  const finished: string[] = [];
  for (const [index, { file }] of pieces.entries()) {
    const size = await stat(file).then(
      (seen) => seen.size,
      () => 0,
    );
    const from = ends[index] ?? 0;
    if (size > from) rest.push({ file, from });
    else finished.push(file);
  }
  return { rest, finished };
}
