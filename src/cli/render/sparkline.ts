const BARS = "▁▂▃▄▅▆▇█";

/** One bar a day, or for several days where there are more of them than columns. A day without anything has none. */
export function sparkline(values: readonly number[], columns: number): string {
  const perBar = Math.max(1, Math.ceil(values.length / Math.max(1, columns)));
  const sums: number[] = [];
  for (const [index, value] of values.entries()) {
    const bar = Math.floor(index / perBar);
    sums[bar] = (sums[bar] ?? 0) + value;
  }
  const most = Math.max(1, ...sums);
  return sums
    .map((sum) => (sum === 0 ? "·" : (BARS[Math.ceil((sum / most) * BARS.length) - 1] ?? "")))
    .join("");
}
