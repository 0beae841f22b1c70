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

interface Debounced {
  (): void;
  cancel(): void;
}

/**
 * Calls `action` once there was no call for `pauseMs`, but no later than `longestMs` after the first call of a burst: the
 * last edit is never lost, and an endless burst does not starve it.
 */
export function debounce(action: () => void, pauseMs: number, longestMs: number): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let deadline = 0;

  const fire = (): void => {
    timer = undefined;
    action();
  };
  const call = (): void => {
    const now = Date.now();
    if (timer === undefined) deadline = now + longestMs;
    clearTimeout(timer);
    timer = setTimeout(fire, Math.max(0, Math.min(pauseMs, deadline - now)));
  };
  return Object.assign(call, {
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
