import { type Diagnostic, diagnosticLine } from "../skill/diagnostic.ts";
import { createLog, LOG_LEVELS, type Log } from "../system/log.ts";
import type { Terminal } from "./command.ts";
import { type Flags, type FlagValues, flag } from "./flags.ts";
import { cutLine, printable, printableJson } from "./render/text.ts";

/** The flags of every command. */
export const LOG_FLAGS = {
  "log-level": flag.choice(LOG_LEVELS, "log messages of this level and above (default info)"),
  "log-format": flag.choice(["text", "json"], "format of log lines (default text)"),
} satisfies Flags;

const COLOURS = { debug: "dim", info: "cyan", warn: "yellow", error: "red" } as const;

/** The log of a command, on stderr: one line for each message, with its time and level. */
export function terminalLog(
  terminal: Pick<Terminal, "logLine" | "errorStyle">,
  given: FlagValues<typeof LOG_FLAGS>,
  now: () => Date = () => new Date(),
): Log {
  const isJson = given["log-format"] === "json";
  return createLog((level, text) => {
    const time = now().toISOString();
    const message = cutLine(text);
    terminal.logLine(
      isJson
        ? printableJson({ time, level, message })
        : `${time} ${terminal.errorStyle[COLOURS[level]](level.padEnd(5))} ${printable(message)}`,
    );
  }, given["log-level"]);
}

/** One line for each problem with a file. */
export function logDiagnostics(diagnostics: readonly Diagnostic[], log: Log): void {
  for (const diagnostic of diagnostics) {
    log[diagnostic.severity === "error" ? "error" : "warn"](diagnosticLine(diagnostic));
  }
}
