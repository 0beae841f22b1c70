/** Knows when someone last asked for something, so that work which nobody waits for need not get in the way. */
export interface Quiet {
  /** Tells that someone asked. */
  asked(): void;
  /** Tells that someone waits for this. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Does something once nobody has asked for a while, or when that takes too long. Returns how to give it up. */
  soon(action: () => void): () => void;
  /** Gives up everything. */
  close(): void;
}

export interface QuietOptions {
  readonly now: () => number;
  readonly quietMs?: number;
  readonly longestMs?: number;
}

/** A client that has just connected asks for one thing after the other. */
const QUIET_MS = 150;
/** Whatever is put off has to be done some time. */
const LONGEST_MS = 5_000;

export function createQuiet({ now, quietMs = QUIET_MS, longestMs = LONGEST_MS }: QuietOptions): Quiet {
  let lastAsked = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  const pending = new Set<() => void>();
  return {
    asked() {
      lastAsked = now();
    },
    async during(work) {
      waiting++;
      try {
        return await work;
      } finally {
        waiting--;
        lastAsked = now();
      }
    },
    soon(action) {
      const latest = now() + longestMs;
      // It is never done at once: whoever has just been answered may go on.
      let timer = setTimeout(check, quietMs);
      const giveUp = (): void => {
        clearTimeout(timer);
        pending.delete(giveUp);
      };
      pending.add(giveUp);
      return giveUp;

      function check(): void {
        const at = Math.min((waiting > 0 ? now() : lastAsked) + quietMs, latest);
        if (at > now()) {
          timer = setTimeout(check, at - now());
          return;
        }
        pending.delete(giveUp);
        action();
      }
    },
    close() {
      for (const giveUp of pending) giveUp();
    },
  };
}
