import { readFileSync } from "node:fs";

/** A process as `/proc/<pid>/stat` shows it, which only Linux has. */
interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ticks since boot; tells the process from a later one with the same pid. */
  readonly started: number;
  /** A zombie: it has ended and waits to be reaped. */
  readonly ended: boolean;
}

export function parseProcessStat(text: string): ProcessStat | undefined {
  // The program's name may contain spaces and parentheses, so fields count from the last parenthesis.
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  const pid = Number.parseInt(text, 10);
  const [parent = 0, group = 0, session = 0, started] = [1, 2, 3, 19].map((index) => Number(fields[index]));
  if (nameEnd === -1 || !Number.isInteger(pid) || started === undefined || Number.isNaN(started))
    return undefined;
  return { pid, parent, group, session, started, ended: fields[0] === "Z" || fields[0] === "X" };
}

export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}
