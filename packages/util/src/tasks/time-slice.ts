import { monotonicMs } from "../clock.ts";

/** Lets long work yield to the event loop, so that requests are answered in between. */
export interface TimeSlices {
  /** Yields when the current slice is over; otherwise undefined. Call it inside every long loop. */
  yieldIfDue(): Promise<void> | undefined;
}

/** How long work may hold the event loop. */
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
