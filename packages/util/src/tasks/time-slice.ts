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

/** Knows when the last request came in, so that background work can wait for a pause. */
export interface Idle {
  /** A request came in. */
  noteRequest(): void;
  /** Counts as busy until the work is done. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Runs an action once idle, or when that takes too long. Returns how to cancel it. */
  whenIdle(action: () => void): () => void;
  /** Cancels every action. */
  close(): void;
}

interface IdleOptions {
  readonly now: () => number;
  readonly idleMs?: number;
  readonly longestMs?: number;
}

/** Longer than the pause between two requests of a client that has just connected. */
const IDLE_MS = 150;
/** Background work starts after this time, however busy the server is. */
const LONGEST_MS = 5_000;

export function createIdle({ now, idleMs = IDLE_MS, longestMs = LONGEST_MS }: IdleOptions): Idle {
  let lastRequest = Number.NEGATIVE_INFINITY;
  let running = 0;
  const pending = new Set<() => void>();
  return {
    noteRequest() {
      lastRequest = now();
    },
    async during(work) {
      running++;
      try {
        return await work;
      } finally {
        running--;
        lastRequest = now();
      }
    },
    whenIdle(action) {
      const latest = now() + longestMs;
      // Never at once: a client that has just been answered may go on.
      let timer = setTimeout(check, idleMs);
      const cancel = (): void => {
        clearTimeout(timer);
        pending.delete(cancel);
      };
      pending.add(cancel);
      return cancel;

      function check(): void {
        const at = Math.min((running > 0 ? now() : lastRequest) + idleMs, latest);
        if (at > now()) {
          timer = setTimeout(check, at - now());
          return;
        }
        pending.delete(cancel);
        action();
      }
    },
    close() {
      for (const cancel of pending) cancel();
    },
  };
}
