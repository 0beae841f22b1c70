import { type Count, createCounter } from "./day-tally.ts";

/** The counts of several days as one list, most first. */
export function addUp(counts: readonly Count[]): readonly Count[] {
  const counter = createCounter();
  for (const [name, count] of counts) counter.add(name, count);
  return counter.counts();
}

export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
