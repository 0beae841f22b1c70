import type { Count } from "./day-tally.ts";

export interface Counter {
  add(name: string, count?: number): void;
  /** Most first, then by name. */
  counts(): readonly Count[];
}

/** Counts names. They come from clients, so they are keys of a map and never of an object. */
export function createCounter(): Counter {
  const counts = new Map<string, number>();
  return {
    add(name, count = 1) {
      counts.set(name, (counts.get(name) ?? 0) + count);
    },
    counts: () => [...counts].sort(([a, x], [b, y]) => y - x || compare(a, b)),
  };
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
