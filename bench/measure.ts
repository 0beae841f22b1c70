/** Something that is measured again in every round. */
export interface Subject {
  readonly name: string;
  readonly measure: () => Promise<number>;
}

/**
 * Measures one of each per round, so that a busy machine slows all of them alike and their ratios hold. Every
 * round begins with another subject, because the first one after a pause pays for it.
 */
export async function interleave(
  rounds: number,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % Math.max(1, subjects.length);
    for (const { name, measure } of [...subjects.slice(first), ...subjects.slice(0, first)]) {
      const value = await measure();
      samples.get(name)?.push(value);
    }
  }
  return samples;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Three figures are as many as a run on a shared machine can tell apart. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(decimals);
}

export function ratio(value: number, floor: number | undefined): string {
  return floor === undefined ? "–" : `${figure(value / floor)}×`;
}

export type Row = readonly string[] | { readonly heading: string };

/** Plain text columns: the first is a label, the others are numbers. */
export function table(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.flatMap((row) => ("heading" in row ? [] : [row]))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const body = rows.map((row) => ("heading" in row ? `\n${row.heading}` : write(row)));
  return [write(columns), ...body].join("\n");
}
