/**
 * Runs `work` over a queue that may grow while it runs, at most `width` at a time. Resolves when nothing is left;
 * rejects with the first error.
 */
export async function runQueue<T>(
  first: Iterable<T>,
  width: number,
  work: (item: T, add: (item: T) => void) => Promise<void>,
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
        const item = waiting[next++] as T;
        running++;
        work(item, add).then(() => {
          running--;
          fill();
        }, reject);
      }
    };
    fill();
  });
}
