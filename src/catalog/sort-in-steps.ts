import type { Steps } from "./steps.ts";

/** So many comparisons take less than a millisecond. */
const AT_ONCE = 256;

/** A merge sort, of which a step is one run or a part of a merge. */
export function* sortedInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    runs.push(items.slice(from, from + AT_ONCE).sort(compare));
    yield 1;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [one = [], other = []] = [runs[index], runs[index + 1]];
      merged.push(other.length === 0 ? one : yield* mergedInSteps(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSteps<T>(one: T[], other: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  // What is sorted already, or nearly, is put together as it is.
  if (compare(one.at(-1) as T, other[0] as T) <= 0) return one.concat(other);
  const merged: T[] = [];
  let left = 0;
  while (merged.length < one.length + other.length) {
    left = mergeSome(merged, { one, other, left, right: merged.length - left }, compare);
    yield 1;
  }
  return merged;
}

interface Sides<T> {
  readonly one: readonly T[];
  readonly other: readonly T[];
  readonly left: number;
  readonly right: number;
}

/** Answers with how far it came on the left side. A function, because a generator's own loop is slow. */
function mergeSome<T>(merged: T[], sides: Sides<T>, compare: (a: T, b: T) => number): number {
  const { one, other } = sides;
  let { left, right } = sides;
  for (let step = 0; step < AT_ONCE && (left < one.length || right < other.length); step++) {
    const takesLeft =
      right >= other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0);
    merged.push((takesLeft ? one[left++] : other[right++]) as T);
  }
  return left;
}
