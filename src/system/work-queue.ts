import type { TimeSlices } from "./time-slice.ts";

/**
 * Runs `work` over a queue that may grow while it runs, at most `width` at a time, and yields to the event loop if time
 * slices are given. Resolves when nothing is left; rejects with the first error.
 */
export async function runQueue<T>(
  first: Iterable<T>,
  width: number,
  work: (item: T, add: (item: T) => void) => Promise<void>,
  slices?: TimeSlices,
): Promise<void> {
  const waiting = [...first];
  let next = 0;
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    const add = (item: T): void => {
      waiting.push(item);
    };
    const fill = (): void => {
      if (next === waiting.length && running === 0) {
        resolve();
        return;
      }
      while (running < width && next < waiting.length) {
        const pause = slices?.yieldIfDue();
        running++;
        const item = waiting[next++] as T;
        const done = pause === undefined ? work(item, add) : pause.then(() => work(item, add));
        done.then(() => {
          running--;
          fill();
        }, reject);
      }
    };
    fill();
  });
}
