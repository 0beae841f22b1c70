import type { Steps } from "../catalog/search/index-of-skills.ts";

/**
 * Decides how a scan opens its files. A synchronous call costs a fifth of a trip through the thread pool, which ten
 * thousand files feel; but a slow disk, or a cloud folder that fetches files when they are read, would hold up every
 * request. So a scan begins with synchronous calls, and as soon as one of them took long it never makes another.
 */
export interface Pace {
  /** Whether the next file may be opened and read synchronously. */
  isQuick(): boolean;
  /** Tells how long a file took, in ms. */
  took(ms: number): void;
  /** Makes room for other work when it is time; else undefined. */
  rest(): Promise<void> | undefined;
}

/** Far above what a local disk needs for one page, far below what a person notices. */
const TOO_LONG_MS = 20;
/** How long a scan may hold the event loop. */
const SLICE_MS = 4;
/** Less for indexing: nobody may be waiting for it, and a step of it or the garbage it leaves may take as long again. */
const INDEXING_SLICE_MS = 2;

export function createIndexingPace(): Pace {
  return createPace(() => performance.now(), INDEXING_SLICE_MS);
}

export function createPace(now: () => number, sliceMs = SLICE_MS): Pace {
  let quick = true;
  let sliceBegan = now();
  return {
    isQuick: () => quick,
    took(ms) {
      if (ms > TOO_LONG_MS) quick = false;
    },
    rest() {
      if (now() - sliceBegan < sliceMs) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          sliceBegan = now();
          resolve();
        });
      });
    },
  };
}

/** Does work that is cut in steps, and makes room for other work in between. */
export async function runPaced<Result>(steps: Steps<Result>, pace: Pace): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const rest = pace.rest();
    if (rest !== undefined) await rest;
  }
}
