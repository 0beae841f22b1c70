import type { Style } from "./render/style.ts";

/** The terminal, or whatever stands in for it. */
export interface Terminal {
  /** Writes to standard output, as it is. */
  print(text: string): void;
  /** Writes one line to standard error. */
  say(line: string): void;
  readonly style: Style;
  /** Columns of a terminal; undefined when they are not known or the output goes elsewhere, where nothing need be cut. */
  readonly width: number | undefined;
}

/** A command reads its arguments, does its work through the app, and returns its exit code. */
export interface Command {
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
