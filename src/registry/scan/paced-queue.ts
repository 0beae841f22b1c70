import { monotonicMs } from "../../system/clock.ts";
import type { Pace } from "../../system/time-slice.ts";

/** Work on one item, in two ways that come to the same. */
export interface DiskWork<T> {
  /** Synchronously. Answers with how much there was to it: the entries of a folder, or one file. */
  now(item: T): number;
  /** Through the thread pool. */
  later(item: T): Promise<void>;
  /** What there is so much to that it is done in steps, even where the disk is quick. */
  readonly large?: {
    is(item: T): boolean;
    inSteps(item: T): Promise<void>;
  };
}

/** As many as the thread pool has use for. */
const AT_ONCE = 16;

/** While several items take less than this, more of them are done between two looks at the clock. */
const QUICK_MS = 0.5;
const MOST_BETWEEN_LOOKS_AT_THE_CLOCK = 16;

/** Works through a queue, which may grow meanwhile: item by item while the disk is quick, else several at a time. */
export async function workThrough<T>(queue: readonly T[], pace: Pace, work: DiskWork<T>): Promise<void> {
  let next = 0;
  for (;;) {
    next = await workQuickly(queue, next, pace, work);
    if (next >= queue.length) return;
    next = await workInParallel(queue, next, pace, work);
  }
}

/** Returns where it stopped: at the end, or where the disk became slow. */
async function workQuickly<T>(
  queue: readonly T[],
  from: number,
  pace: Pace,
  work: DiskWork<T>,
): Promise<number> {
  let next = from;
  let atOnce = 1;
  let began = monotonicMs();
  while (next < queue.length && pace.isQuick()) {
    if (work.large?.is(queue[next] as T) === true) {
      await work.large.inSteps(queue[next++] as T);
      began = monotonicMs();
      continue;
    }
    let size = 0;
    const end = Math.min(queue.length, next + atOnce);
    do size += work.now(queue[next++] as T);
    while (next < end && work.large?.is(queue[next] as T) !== true);
    const ended = monotonicMs();
    pace.took(began, ended, size);
    // Asking for the time costs a good part of what a quick call does.
    atOnce = ended - began < QUICK_MS ? Math.min(MOST_BETWEEN_LOOKS_AT_THE_CLOCK, atOnce * 2) : 1;
    began = ended;
    const rest = pace.rest(ended);
    if (rest === undefined) continue;
    await rest;
    began = monotonicMs();
  }
  return next;
}

/** Returns where it stopped: at the end, or where the disk is worth another try. */
function workInParallel<T>(
  queue: readonly T[],
  from: number,
  pace: Pace,
  work: DiskWork<T>,
): Promise<number> {
  let next = from;
  let running = 0;
  return new Promise((resolve, reject) => {
    const fill = (): void => {
      while (running < AT_ONCE && next < queue.length && !pace.isQuick()) {
        running++;
        work.later(queue[next++] as T).then(() => {
          running--;
          pace.answered();
          fill();
        }, reject);
      }
      if (running === 0) resolve(next);
    };
    fill();
  });
}
