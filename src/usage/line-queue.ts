import type { UsageEvent } from "./events.ts";

/** Events that are in memory only. The oldest make room when there are too many. */
export interface LineQueue {
  add(event: UsageEvent): void;
  /** Everything, oldest first, as lines. They still count until they are done with or put back. */
  take(toLine: (event: UsageEvent) => string): readonly string[];
  /** Puts back, in front, what could not be dealt with, and forgets the rest of what was taken. */
  putBack(taken: readonly string[], remaining: readonly string[]): void;
  readonly size: () => number;
}

export function createLineQueue(limit: number, onDropped: (count: number) => void): LineQueue {
  let waiting: (UsageEvent | string)[] = [];
  let outside = 0;

  const keepWithinLimit = (): void => {
    const excess = Math.min(waiting.length, waiting.length + outside - limit);
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    onDropped(excess);
  };
  return {
    add(event) {
      waiting.push(event);
      keepWithinLimit();
    },
    take(toLine) {
      const lines = waiting.map((item) => (typeof item === "string" ? item : toLine(item)));
      waiting = [];
      outside += lines.length;
      return lines;
    },
    putBack(taken, remaining) {
      outside -= taken.length;
      if (remaining.length > 0) waiting = [...remaining, ...waiting];
      keepWithinLimit();
    },
    size: () => waiting.length + outside,
  };
}
