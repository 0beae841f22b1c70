/** Knows when the last request came in, so that background work can wait for a pause. */
export interface Idle {
  /** A request came in. */
  noteRequest(): void;
  /** Counts as busy until the work is done. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Runs an action once idle, or when that takes too long. Returns how to cancel it. */
  whenIdle(action: () => void): () => void;
  /** Cancels every action. */
  close(): void;
}

export interface IdleOptions {
  readonly now: () => number;
  readonly idleMs?: number;
  readonly longestMs?: number;
}

/** Longer than the pause between two requests of a client that has just connected. */
const IDLE_MS = 150;
/** Background work starts after this time, however busy the server is. */
const LONGEST_MS = 5_000;

export function createIdle({ now, idleMs = IDLE_MS, longestMs = LONGEST_MS }: IdleOptions): Idle {
  let lastRequest = Number.NEGATIVE_INFINITY;
  let running = 0;
  const pending = new Set<() => void>();
  return {
    noteRequest() {
      lastRequest = now();
    },
    async during(work) {
      running++;
      try {
        return await work;
      } finally {
        running--;
        lastRequest = now();
      }
    },
    whenIdle(action) {
      const latest = now() + longestMs;
      // Never at once: a client that has just been answered may go on.
      let timer = setTimeout(check, idleMs);
      const cancel = (): void => {
        clearTimeout(timer);
        pending.delete(cancel);
      };
      pending.add(cancel);
      return cancel;

      function check(): void {
        const at = Math.min((running > 0 ? now() : lastRequest) + idleMs, latest);
        if (at > now()) {
          timer = setTimeout(check, at - now());
          return;
        }
        pending.delete(cancel);
        action();
      }
    },
    close() {
      for (const cancel of pending) cancel();
    },
  };
}
