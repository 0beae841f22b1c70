import { runQueue } from "#util";

/**
 * Runs work for each item, some at a time. After a failure no more is started, and the first error is thrown only when
 * everything that runs has ended: nothing is written to a folder that the caller removes.
 */
export async function runAll<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await runQueue(items, width, async (item) => {
    if (failures.length > 0) return;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}
