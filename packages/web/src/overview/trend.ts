/**
 * The last `window` days against as many before them: `+12 %`. Undefined where there is nothing to compare with: before something was
 * recorded on the first of these days or earlier, the history covers only a part of them.
 */
export function trendOf<D extends { readonly events: number }>(
  days: readonly D[],
  valueOf: (day: D) => number,
  window: number,
): string | undefined {
  const first = days.length - 2 * window;
  if (first < 0 || !days.slice(0, first + 1).some(({ events }) => events > 0)) return undefined;
  const sum = (part: readonly D[]): number => part.reduce((total, day) => total + valueOf(day), 0);
  const [before, now] = [sum(days.slice(first, -window)), sum(days.slice(-window))];
  if (before === 0) return undefined;
  const change = Math.round((100 * (now - before)) / before);
  return `${change > 0 ? "+" : change < 0 ? "−" : "±"}${Math.abs(change)} %`;
}
