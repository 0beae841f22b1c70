/** Shows what a long run of a test came to. */
export function printFigures(figures: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify(figures, null, 1)}\n`);
}
