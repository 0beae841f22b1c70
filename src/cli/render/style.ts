/** Marks text up for a terminal, or leaves it alone. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** Colours only on a terminal, and only if the user did not turn them off (no-color.org). */
export function createStyle(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const on = isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  const mark = (open: number, close: number) => (text: string) =>
    on ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    yellow: mark(33, 39),
    green: mark(32, 39),
    cyan: mark(36, 39),
  };
}
