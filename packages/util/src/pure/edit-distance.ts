/**
 * Optimal string alignment distance (insert, delete, replace, swap of neighbours), or `limit + 1` as soon as it is
 * certain to exceed `limit`. Three rows of the classic table, allocated once per call.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast = new Uint16Array(b.length + 1);
  let last = new Uint16Array(b.length + 1);
  for (let index = 0; index <= b.length; index++) last[index] = index;
  let row = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row[j] = best;
      if (best < smallest) smallest = best;
    }
    if (smallest > limit) return limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(at(last, b.length), limit + 1);
}

function at(row: Uint16Array, index: number): number {
  return row[index] ?? 0;
}
