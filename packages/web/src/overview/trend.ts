/** The last half of some days against the half before it: `+12 %`; undefined where there is nothing to compare with. */
export function trendOf(
  values: readonly number[],
): { readonly text: string; readonly change: number } | undefined {
  const half = Math.floor(values.length / 2);
  const sum = (part: readonly number[]): number => part.reduce((total, value) => total + value, 0);
  const [before, now] = [sum(values.slice(-2 * half, -half)), sum(values.slice(-half))];
  if (half === 0 || before === 0) return undefined;
  const change = Math.round((100 * (now - before)) / before);
  return { change, text: `${change > 0 ? "+" : change < 0 ? "−" : "±"}${Math.abs(change)} %` };
}
