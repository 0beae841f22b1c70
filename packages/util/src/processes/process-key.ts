import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { sha256 } from "../sha256.ts";

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
  return parseProcessStat(readText(`/proc/${pid}/stat`));
}

/** When a running process began, as text for a file; "0" if that is unknown or it has ended. */
export function startOf(pid: number): string {
  const stat = readProcessStat(pid);
  return stat === undefined || stat.ended ? "0" : String(stat.started);
}

/**
 * Names a process by more than its pid, which the system reuses: `<pid>-<start>-<boot>-<machine>-<random>`. `start` and
 * `boot` are 0 without `/proc`.
 */
export interface ProcessKey {
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  /** The machine and, in a container, its pid namespace. */
  readonly machine: string;
}

type ProcessState = "alive" | "dead" | "unknown";

/** A key of this process, to use in the name of a file. No two calls return the same one. */
export function createProcessKey(): string {
  const { pid, start, boot, machine } = keyOf(process.pid);
  return `${pid}-${start}-${boot}-${machine}-${randomBytes(6).toString("hex")}`;
}

export function parseProcessKey(text: string): ProcessKey | undefined {
  const [, pid = "", start = "", boot = "", machine = ""] =
    /^(\d+)-(\d+)-([0-9a-f]+)-([0-9a-f]+)-[0-9a-f]+$/.exec(text) ?? [];
  return pid === "" ? undefined : { pid: Number(pid), start, boot, machine };
}

/** Whether a process still runs; `unknown` on another machine, in another container, and without a start time. */
export function processState(key: ProcessKey): ProcessState {
  const here = keyOf(key.pid);
  if (here.machine !== key.machine) return "unknown";
  if (here.boot !== key.boot || here.start !== key.start || !isRunning(key.pid)) return "dead";
  return here.start === "0" && key.pid !== process.pid ? "unknown" : "alive";
}

function keyOf(pid: number): ProcessKey {
  const boot = readText("/proc/sys/kernel/random/boot_id").trim();
  return {
    pid,
    start: startOf(pid),
    boot: boot === "" ? "0" : digest(boot),
    machine: digest(`${hostname()}\n${pidNamespace()}`),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const digest = (text: string): string => sha256(text).toString("hex").slice(0, 8);
