import { createLog, type Log } from "#util";

/** The messages of log lines, without their times and levels. Other lines stay as they are. */
export function messagesOf(stderr: string): string {
  return stderr.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z (?:debug|info |warn |error) /gm, "");
}

/** A log that hands each message to a function. */
export function logTo(take: (line: string) => unknown): Log {
  return createLog((_level, message) => void take(message), "debug");
}
