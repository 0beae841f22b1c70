/** The levels, least important first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where a component reports what happens while it runs. Each call is one line. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A log that writes messages of level `from` and above. */
export function createLog(write: (level: LogLevel, message: string) => void, from: LogLevel = "info"): Log {
  const least = LOG_LEVELS.indexOf(from);
  const at = (level: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(level) >= least) write(level, message);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Discards everything. */
export const NO_LOG: Log = createLog(() => {});

/** The same log, with every message rewritten. */
export function mapLog(log: Log, rewrite: (message: string) => string): Log {
  return createLog((level, message) => log[level](rewrite(message)), "debug");
}
