export interface GroupCommit<T> {
  /** Work comes soon, once for all that is asked for until then. */
  soon(): void;
  /** Work begins as soon as what is under way is done. */
  now(): Promise<T>;
  /** Does something else when no work is under way. */
  between<R>(action: () => Promise<R>): Promise<R>;
  stop(): void;
}

/** Collects requests for a moment, because ten events cost the disk no more than one. `work` must not reject. */
export function createGroupCommit<T>(work: () => Promise<T>, delayMs: number): GroupCommit<T> {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const between = <R>(action: () => Promise<R>): Promise<R> => {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  };
  const now = (): Promise<T> => {
    clearTimeout(timer);
    timer = undefined;
    return between(work);
  };
  return {
    soon() {
      timer ??= setTimeout(() => void now(), delayMs).unref();
    },
    now,
    between,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
