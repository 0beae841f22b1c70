/**
 * A long computation that stops after every step, so that the caller can yield to the event loop in between. This code
 * has no clock: a step is an amount of work that takes well below a millisecond.
 */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Operations of a few nanoseconds each that make up a step. */
export const OPERATIONS_PER_STEP = 16_384;

export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does `count` operations in order. The inner loop is the caller's, because a generator's own loop is slow. */
export function* eachSlice(count: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < count; from += OPERATIONS_PER_STEP) {
    work(from, Math.min(from + OPERATIONS_PER_STEP, count));
    yield;
  }
}
