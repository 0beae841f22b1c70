import { monotonicMs } from "../../system/clock.ts";

/**
 * Decides how a single file is read for someone who waits. A synchronous reading costs a fraction of two trips through the
 * thread pool; but a disk that is slow would hold up everyone else. So after a slow reading the thread pool is used for a
 * while, and each time for longer: a cloud folder holds us up a few times. A disk that has been quick for as long as the next
 * pause would be is trusted as at first: a busy moment does not count for ever.
 */
export interface ReadingPace {
  isQuick(): boolean;
  /** Tells how long a synchronous reading took, in ms. */
  took(ms: number): void;
}

/** Reads a file in the way that the pace asks for, and tells it how long that took. */
export async function readAtPace<T>(pace: ReadingPace, read: (quick: boolean) => Promise<T>): Promise<T> {
  const quick = pace.isQuick();
  const began = monotonicMs();
  const result = await read(quick);
  if (quick) pace.took(monotonicMs() - began);
  return result;
}

/** Far above what a local disk needs, far below what a person notices. */
const TOO_LONG_MS = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGER_EACH_TIME = 4;

export function createReadingPace(now: () => number): ReadingPace {
  let pauseMs = FIRST_PAUSE_MS;
  let quickFrom = Number.NEGATIVE_INFINITY;
  return {
    isQuick: () => now() >= quickFrom,
    took(ms) {
      if (ms > TOO_LONG_MS) {
        quickFrom = now() + pauseMs;
        pauseMs *= LONGER_EACH_TIME;
      } else if (pauseMs > FIRST_PAUSE_MS && now() > quickFrom + pauseMs) {
        pauseMs = FIRST_PAUSE_MS;
      }
    },
  };
}
