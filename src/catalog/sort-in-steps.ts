import type { Steps } from "./search/steps.ts";

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

function* mergedInSteps<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const merged: T[] = [];
  for (let left = 0, right = 0; left < one.length || right < other.length; ) {
    const takesLeft =
      right >= other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0);
    merged.push((takesLeft ? one[left++] : other[right++]) as T);
    if (merged.length % AT_ONCE === 0) yield 1;
  }
  return merged;
}
