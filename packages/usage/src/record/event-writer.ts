import type { UsageEvent } from "../events.ts";

/** Events that are in memory only. When there are too many, the oldest are dropped. */
export function createEventQueue(limit: number, onDropped: (count: number) => void) {
  let waiting: UsageEvent[] = [];
  let taken = 0;

  const enforceLimit = (): void => {
    const excess = Math.min(waiting.length, waiting.length + taken - limit);
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    onDropped(excess);
  };
  return {
    add(event: UsageEvent): void {
      waiting.push(event);
      enforceLimit();
    },
    /** Takes all events, oldest first. They count towards the limit until `settle`. */
    take(): readonly UsageEvent[] {
      const events = waiting;
      waiting = [];
      taken += events.length;
      return events;
    },
    /** Ends a `take`: the first `done` events are stored or delivered, the others return to their place. */
    settle(events: readonly UsageEvent[], done: number): void {
      taken -= events.length;
      // Several may take before the first settles; the ids sort by age.
      if (done < events.length)
        waiting = [...events.slice(done), ...waiting].sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
      enforceLimit();
    },
    size: () => waiting.length + taken,
  };
}

interface EventWriterOptions {
  readonly limit: number;
  readonly commitMs: number;
  readonly onDropped: (count: number) => void;
  readonly store: (events: readonly UsageEvent[]) => Promise<void>;
  /** Whether events that could not be stored stay in memory. */
  readonly retry: boolean;
  /** Called for the first failure only. */
  readonly onFailure: (error: unknown) => void;
}

/** Collects events in memory for a moment and stores them together, with one write. */
export function createEventWriter(options: EventWriterOptions) {
  const queue = createEventQueue(options.limit, options.onDropped);
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let writable = true;
  let failed = false;

  async function write(): Promise<boolean> {
    if (queue.size() === 0) return true;
    const events = queue.take();
    // A flush has taken all of them, and may yet return some.
    if (events.length === 0) return false;
    try {
      await options.store(events);
      queue.settle(events, events.length);
      writable = true;
    } catch (error) {
      queue.settle(events, options.retry ? 0 : events.length);
      writable = false;
      if (!failed) options.onFailure(error);
      failed = true;
    }
    return writable;
  }

  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  /** Runs an action while nothing is being stored. */
  const between = <R>(action: () => Promise<R>): Promise<R> => {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  };
  /** Resolves to true once everything added so far is stored. */
  const commit = (): Promise<boolean> => {
    stop();
    return between(write);
  };

  return {
    add(event: UsageEvent): void {
      queue.add(event);
      timer ??= setTimeout(() => void commit(), options.commitMs).unref();
    },
    commit,
    between,
    take: queue.take,
    settle: queue.settle,
    size: queue.size,
    isWritable: (): boolean => writable,
    stop,
  };
}
