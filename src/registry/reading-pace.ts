/**
 * Decides how a single file is read for someone who waits. A synchronous reading costs a fraction of two trips through the
 * thread pool; but a disk that is slow would hold up everyone else. So after a slow reading the thread pool is used for a
 * while, and each time for longer: a cloud folder holds us up a few times, a busy moment does not count for ever.
 */
export interface ReadingPace {
  isQuick(): boolean;
  /** Tells how long a synchronous reading took, in ms. */
  took(ms: number): void;
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
      if (ms <= TOO_LONG_MS) return;
      quickFrom = now() + pauseMs;
      pauseMs *= LONGER_EACH_TIME;
    },
  };
}
