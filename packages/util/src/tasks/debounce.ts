export interface Debounced {
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
