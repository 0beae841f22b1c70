import { type Diagnostic, diagnosticLine } from "#skills";
import { createLog, LOG_LEVELS, type Log } from "#util";
import type { Terminal } from "./command.ts";
import { type Flags, type FlagValues, flag } from "./flags.ts";
import { count, cutLine, printable, printableJson } from "./render/text.ts";

export const LOG_FLAGS = {
  "log-level": flag.choice(LOG_LEVELS, "log messages of this level and above (default info)"),
  "log-format": flag.choice(["text", "json"], "format of log lines (default text)"),
} satisfies Flags;

const COLOUR_FLAGS = {
  color: flag.switch("colour the output, also when it is not a terminal"),
  "no-color": flag.switch("do not colour the output"),
} satisfies Flags;

/** The flags of every command. */
export const COMMON_FLAGS = { ...LOG_FLAGS, ...COLOUR_FLAGS } satisfies Flags;

/** Whether the command line asks for colours; undefined where it says nothing. The last flag counts. */
export function chosenColours(args: readonly string[]): boolean | undefined {
  const end = args.indexOf("--");
  const chosen = args
    .slice(0, end < 0 ? undefined : end)
    .findLast((word) => word === "--color" || word === "--no-color");
  return chosen === undefined ? undefined : chosen === "--color";
}

const COLOURS = { debug: "dim", info: "cyan", warn: "yellow", error: "red" } as const;

/**
 * The log of a command, on stderr: one line for each message, with its level, and with its time where the log is kept or read by
 * a program. A person on a terminal, who waits for an answer, needs no time.
 */
export function terminalLog(
  terminal: Pick<Terminal, "logLine" | "errorStyle">,
  given: FlagValues<typeof LOG_FLAGS>,
  {
    withTime = true,
    now = () => new Date(),
  }: { readonly withTime?: boolean; readonly now?: () => Date } = {},
): Log {
  const isJson = given["log-format"] === "json";
  // Decided with the first line, because asking whether stderr has colours sets up the stream.
  let style: Terminal["errorStyle"] | undefined;
  return createLog((level, text, { fields, callerText = "" } = {}) => {
    const time = now().toISOString();
    const message = cutLine(`${text}${callerText}`);
    if (isJson) {
      terminal.logLine(printableJson({ time, level, message, ...fields }));
      return;
    }
    style ??= terminal.errorStyle;
    const line = `${style[COLOURS[level]](level.padEnd(5))} ${printable(message)}`;
    terminal.logLine(withTime ? `${time} ${line}` : line);
  }, given["log-level"]);
}

/** More problems than these are counted instead of named: the answer of a command must not scroll away. */
const MOST_PROBLEMS = 9;

/**
 * Logs the problems with files below what a command printed: one line for each, skipped files before others, or one line that
 * counts them if there are many, or if a person reads them on a terminal. `--log-level debug` has every line, and so has
 * `isWhole`, for output that a program reads.
 */
export function logDiagnostics(
  diagnostics: readonly Diagnostic[],
  log: Log,
  {
    isWhole = false,
    terminal,
  }: { readonly isWhole?: boolean; readonly terminal?: Pick<Terminal, "width"> } = {},
): void {
  const ofFiles = diagnostics.filter(isOfFile);
  const skipped = ofFiles.filter(({ severity }) => severity === "error");
  const others = ofFiles.filter(({ severity }) => severity !== "error");
  const most = terminal?.width === undefined ? MOST_PROBLEMS : 0;
  const areNamed = isWhole || ofFiles.length <= most;
  for (const diagnostic of [...skipped, ...others]) {
    const level = diagnostic.severity === "error" ? "error" : "warn";
    log[areNamed ? level : "debug"](diagnosticLine(diagnostic));
  }
  if (!areNamed) log.warn(`${countText(skipped.length, others.length)}; to see why, run: skills-mcp doctor`);
}

/** `10 files were skipped, 5 other problems found`, without what there is none of. */
function countText(skipped: number, others: number): string {
  const parts = [
    ...(skipped === 0 ? [] : [`${count(skipped, "file")} ${skipped === 1 ? "was" : "were"} skipped`]),
    ...(others === 0 ? [] : [`${count(others, skipped === 0 ? "problem" : "other problem")} found`]),
  ];
  return parts.join(", ");
}

/** False for a skill that another one takes the place of: nothing is wrong with its file. */
export function isOfFile({ code }: Diagnostic): boolean {
  return code !== "takes-place";
}
