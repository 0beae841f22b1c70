import { createLog, type Log } from "../system/log.ts";
import type { Terminal } from "./command.ts";
import { printable } from "./render/columns.ts";

/** The log of a command, on stderr. */
export function terminalLog(terminal: Terminal): Log {
  return createLog((level, message) => {
    const mark = level === "info" ? "" : `${level}: `;
    terminal.say(`skills-mcp: ${mark}${printable(message)}`);
  });
}
