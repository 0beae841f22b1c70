export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where a component reports what happens while it runs. One call is one line. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** The levels, least important first. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** A log that passes on what is at least as important as `from`. */
export function createLog(write: (level: LogLevel, message: string) => void, from: LogLevel = "info"): Log {
  const least = LOG_LEVELS.indexOf(from);
  const at = (level: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(level) >= least) write(level, message);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A log that nobody reads. */
export const NO_LOG: Log = createLog(() => {});

/** The same log, with every message rewritten on its way. */
export function mapLog(log: Log, rewrite: (message: string) => string): Log {
  return createLog((level, message) => log[level](rewrite(message)), "debug");
}
