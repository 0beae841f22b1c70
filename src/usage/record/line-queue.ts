import type { UsageEvent } from "../events.ts";

/** Events that are in memory only. The oldest make room when there are too many. */
export interface LineQueue {
  add(event: UsageEvent): void;
  /** Everything, oldest first, as lines. They still count until they are done with or put back. */
  take(toLine: (event: UsageEvent) => string): readonly string[];
  /** Puts back, where they were, the last ones of what was taken, and forgets the rest of it. */
  putBack(taken: readonly string[], remaining: readonly string[]): void;
  readonly size: () => number;
}

interface Waiting {
  /** Several may take before the first puts back. */
  readonly order: number;
  readonly item: UsageEvent | string;
}

export function createLineQueue(limit: number, onDropped: (count: number) => void): LineQueue {
  let waiting: Waiting[] = [];
  let outside = 0;
  let added = 0;
  const ordersOf = new WeakMap<readonly string[], readonly number[]>();

  const keepWithinLimit = (): void => {
    const excess = Math.min(waiting.length, waiting.length + outside - limit);
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    onDropped(excess);
  };
  return {
    add(item) {
      waiting.push({ order: added++, item });
      keepWithinLimit();
    },
    take(toLine) {
      const lines = waiting.map(({ item }) => (typeof item === "string" ? item : toLine(item)));
      ordersOf.set(
        lines,
        waiting.map(({ order }) => order),
      );
      waiting = [];
      outside += lines.length;
      return lines;
    },
    putBack(taken, remaining) {
      outside -= taken.length;
      if (remaining.length > 0) {
        const orders = ordersOf.get(taken)?.slice(-remaining.length) ?? [];
        const back = remaining.map((item, index) => ({ order: orders[index] ?? 0, item }));
        waiting = [...back, ...waiting].sort((a, b) => a.order - b.order);
      }
      keepWithinLimit();
    },
    size: () => waiting.length + outside,
  };
}
