export interface Debounced {
  (): void;
  cancel(): void;
}

/**
 * Calls `action` once things have been quiet for `quietMs`, but no later than `longestMs` after the first call of
 * a burst: the last edit is never lost, and an endless burst does not starve it.
 */
export function debounce(action: () => void, quietMs: number, longestMs: number): Debounced {
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
    timer = setTimeout(fire, Math.max(0, Math.min(quietMs, deadline - now)));
  };
  return Object.assign(call, {
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
