/**
 * Wraps a function so that one call runs at a time. A call made while one runs gets the result of the next run,
 * not of the running one, which may have passed the change that the caller knows of. All such calls share it.
 */
export function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    const current = run().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  }

  return () => {
    // Due but not begun: a caller that was answered first must not start a run beside it.
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
