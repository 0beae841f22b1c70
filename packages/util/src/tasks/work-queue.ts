import type { TimeSlices } from "./time-slice.ts";

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
