/**
 * Work cut in steps, so that whoever runs it can let others have their turn in between: this code has no clock to know
 * when that is. Each step yields how many units it did, a unit being a few nanoseconds of work.
 */
export type Steps<Result> = Generator<number, Result, undefined>;

/** Well below a millisecond of the dearest units, far above what a step costs by itself. */
export const MOST_PER_STEP = 16_384;

/** For whoever has nobody waiting. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does `count` units in order. The loop over a slice is the caller's, in a plain function, which is faster. */
export function* eachSlice(count: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < count; from += MOST_PER_STEP) {
    const to = Math.min(from + MOST_PER_STEP, count);
    work(from, to);
    yield to - from;
  }
}

/** So many items of a list at a time take less than a millisecond, unless an item is dear. */
const ITEMS_PER_STEP = 256;

/** Does something with each item, in order. A generator's own loop is slow, so a function goes through each step. */
export function* inTurn<T>(items: readonly T[], work: (item: T, index: number) => void): Steps<void> {
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    forSome(items, from, Math.min(items.length, from + ITEMS_PER_STEP), work);
    yield ITEMS_PER_STEP;
  }
}

function forSome<T>(
  items: readonly T[],
  from: number,
  to: number,
  work: (item: T, index: number) => void,
): void {
  for (let index = from; index < to; index++) work(items[index] as T, index);
}

/** Whether every slice of `count` units passes; stops at the first that does not. */
export function* everySlice(count: number, passes: (from: number, to: number) => boolean): Steps<boolean> {
  for (let from = 0; from < count; from += MOST_PER_STEP) {
    const to = Math.min(from + MOST_PER_STEP, count);
    if (!passes(from, to)) return false;
    yield to - from;
  }
  return true;
}
