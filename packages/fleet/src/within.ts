/** A promise took longer than `within` allows. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** Rejects with `TimedOut` if a promise takes longer than this. The promise goes on; its later result is ignored. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      // A reply that arrived while this process was busy is read before immediates run, and counts.
      () => setImmediate(() => reject(new TimedOut(`No answer within ${Math.round(ms)} ms.`))),
      Math.max(0, ms),
    );
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
