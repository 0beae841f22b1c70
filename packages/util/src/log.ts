/** The levels, least important first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** What belongs to a message. */
interface LogDetails {
  /** What a line in JSON has besides the message: names and numbers for programs. Undefined ones are left out. */
  readonly fields?: Readonly<Record<string, string | number | undefined>>;
  /** What a caller wrote. It ends the line on this machine, and is never sent to another one. */
  readonly callerText?: string;
}

type LogLine = (message: string, details?: LogDetails) => void;

/** Where a component reports what happens while it runs. Each call is one line. */
export interface Log {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

/** A log that writes messages of level `from` and above. */
export function createLog(
  write: (level: LogLevel, message: string, details?: LogDetails) => void,
  from: LogLevel = "info",
): Log {
  const least = LOG_LEVELS.indexOf(from);
  const at =
    (level: LogLevel): LogLine =>
    (message, details) => {
      if (LOG_LEVELS.indexOf(level) >= least) write(level, message, details);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Discards everything. */
export const NO_LOG: Log = createLog(() => {});
