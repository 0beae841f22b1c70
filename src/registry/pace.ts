import type { Steps } from "../catalog/search/index-of-skills.ts";

/**
 * Decides how a look asks the disk. A synchronous call costs a fifth of a trip through the thread pool, which ten thousand
 * files feel; but a slow disk, or a cloud folder that fetches files when they are read, would hold up every request. So a
 * look makes synchronous calls in short slices, and after one that took long it uses the thread pool for a while, each time
 * for longer.
 */
export interface Pace {
  /** Whether the disk may be asked synchronously now. */
  isQuick(): boolean;
  /** Tells that a synchronous call began and ended. */
  took(ms: number): void;
  /** Makes room for other work when it is time; else undefined. */
  rest(): Promise<void> | undefined;
}

/** Far above what a local disk needs for one page, far below what a person notices. */
const TOO_LONG_MS = 20;
const FIRST_PAUSE_MS = 250;
const LONGER_EACH_TIME = 4;
/** How long a look may hold the event loop. */
const SLICE_MS = 4;
/** Less for what nobody waits for: a step of it or the garbage it leaves may take as long again. */
const LEISURELY_SLICE_MS = 2;
/** And it leaves as much time to others as it takes. */
const LEISURELY_REST_MS = 2;

export function createIndexingPace(): Pace {
  return createPace(() => performance.now(), { isLeisurely: () => true, restMs: 0 });
}

export interface PaceOptions {
  /** Whether nobody waits for the work at this moment. */
  readonly isLeisurely?: () => boolean;
  readonly restMs?: number;
}

export function createPace(
  now: () => number,
  { isLeisurely = () => false, restMs = LEISURELY_REST_MS }: PaceOptions = {},
): Pace {
  let quickFrom = Number.NEGATIVE_INFINITY;
  let pauseMs = FIRST_PAUSE_MS;
  let sliceBegan = now();
  let resting: Promise<void> | undefined;
  return {
    isQuick: () => quickFrom === Number.NEGATIVE_INFINITY || now() >= quickFrom,
    took(ms) {
      if (ms <= TOO_LONG_MS) return;
      quickFrom = now() + pauseMs;
      pauseMs *= LONGER_EACH_TIME;
    },
    rest() {
      // Several may work by one pace: they rest together, or each would take a slice of its own before others have a turn.
      if (resting !== undefined) return resting;
      const leisurely = isLeisurely();
      if (now() - sliceBegan < (leisurely ? LEISURELY_SLICE_MS : SLICE_MS)) return undefined;
      resting = new Promise((resolve) => {
        const goOn = (): void => {
          resting = undefined;
          sliceBegan = now();
          resolve();
        };
        if (leisurely && restMs > 0) setTimeout(goOn, restMs);
        else setImmediate(goOn);
      });
      return resting;
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
