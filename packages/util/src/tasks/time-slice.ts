/** Lets long work yield to the event loop, so that requests are answered in between. */
export interface TimeSlices {
  /** Yields when the current slice is over; otherwise undefined. Call it inside every long loop. */
  yieldIfDue(): Promise<void> | undefined;
}

/** How long work may occupy the event loop. Without slices, the first scan of 1,000 skills occupies it for 130 ms. */
const SLICE_MS = 4;

export function createTimeSlices(now: () => number = monotonicMs): TimeSlices {
  let began = now();
  let yielding: Promise<void> | undefined;
  return {
    yieldIfDue() {
      // Loops that share the slices yield together; otherwise each would take a slice of its own.
      if (yielding !== undefined || now() - began < SLICE_MS) return yielding;
      yielding = new Promise((resolve) => {
        setImmediate(() => {
          yielding = undefined;
          began = now();
          resolve();
        });
      });
      return yielding;
    },
  };
}

/** Runs a generator to its end, and yields to the event loop after its steps, so that the result is used in a new slice. */
export async function runSteps<Result>(
  steps: Iterator<unknown, Result, undefined>,
  slices: TimeSlices,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    await slices.yieldIfDue();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs `work` over a queue that may grow while it runs, at most `width` at a time, and yields to the event loop if time
 * slices are given. Resolves when nothing is left; rejects with the first error.
 */
export async function runQueue<T>(
  first: Iterable<T>,
  width: number,
  work: (item: T, add: (item: T) => void) => Promise<void> | void,
  slices?: TimeSlices,
): Promise<void> {
  const waiting = [...first];
  let next = 0;
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    const add = (item: T): void => {
      waiting.push(item);
      if (running < width) void runNext();
    };
    const runNext = async (): Promise<void> => {
      running++;
      try {
        while (next < waiting.length) {
          const pause = slices?.yieldIfDue();
          const done = pause === undefined ? work(waiting[next++] as T, add) : pause;
          if (done !== undefined) await done;
        }
        if (--running === 0) resolve();
      } catch (error) {
        reject(error);
      }
    };
    for (let worker = 0; worker < width && (worker === 0 || next < waiting.length); worker++) void runNext();
  });
}

/** Milliseconds on a clock that never goes back. The global `performance` would load `node:perf_hooks` at start. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
