import type { UsageEvent } from "../events.ts";

/** Events that are in memory only. The oldest make room when there are too many. */
export function createEventQueue(limit: number, onDropped: (count: number) => void) {
  let waiting: UsageEvent[] = [];
  let outside = 0;

  const enforceLimit = (): void => {
    const excess = Math.min(waiting.length, waiting.length + outside - limit);
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    onDropped(excess);
  };
  return {
    add(event: UsageEvent): void {
      waiting.push(event);
      enforceLimit();
    },
    /** Takes everything, oldest first. It still counts towards the limit until `settle`. */
    take(): readonly UsageEvent[] {
      const taken = waiting;
      waiting = [];
      outside += taken.length;
      return taken;
    },
    /** Ends a `take`: the first `done` events are stored or delivered, the others return to their place. */
    settle(taken: readonly UsageEvent[], done: number): void {
      outside -= taken.length;
      // Several may take before the first settles; the ids sort by age.
      if (done < taken.length)
        waiting = [...taken.slice(done), ...waiting].sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
      enforceLimit();
    },
    size: () => waiting.length + outside,
  };
}

/** Runs `commit`, which must not reject, one at a time. */
export function createGroupCommit<T>(commit: () => Promise<T>, delayMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  /** Runs an action while no commit is in progress. */
  const between = <R>(action: () => Promise<R>): Promise<R> => {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  };
  /** Commits as soon as the commit in progress is done. */
  const now = (): Promise<T> => {
    stop();
    return between(commit);
  };
  return {
    /** Schedules a commit, one for all calls until then: ten events cost the disk no more than one. */
    soon(): void {
      timer ??= setTimeout(() => void now(), delayMs).unref();
    },
    now,
    between,
    stop,
  };
}
