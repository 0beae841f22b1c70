import { randomBytes } from "node:crypto";
import { type Platform } from "../platform/platform.ts";
import { platform } from "../platform/this-platform.ts";
import { sha256 } from "../sha256.ts";

/**
 * Names a process by more than its pid, which the system reuses: `<pid>-<start>-<boot>-<machine>-<random>`. `start` and
 * `boot` are 0 where the system does not tell them.
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
export function createProcessKey(on: Platform = platform): string {
  const { pid, start, boot, machine } = keyOf(process.pid, on);
  return `${pid}-${start ?? UNKNOWN}-${boot}-${machine}-${randomBytes(6).toString("hex")}`;
}

export function parseProcessKey(text: string): ProcessKey | undefined {
  const [, pid = "", start = "", boot = "", machine = ""] =
    /^(\d+)-(\d+)-([0-9a-f]+)-([0-9a-f]+)-[0-9a-f]+$/.exec(text) ?? [];
  return pid === "" ? undefined : { pid: Number(pid), start, boot, machine };
}

/** Whether a process still runs; `unknown` on another machine, in another container, and without a start time. */
export function processState(key: ProcessKey, on: Platform = platform): ProcessState {
  const here = keyOf(key.pid, on);
  if (here.machine !== key.machine) return "unknown";
  if (here.boot !== key.boot || here.start === undefined || !isRunning(key.pid)) return "dead";
  if (key.pid === process.pid && here.start === key.start) return "alive";
  if (here.start === UNKNOWN || key.start === UNKNOWN) return "unknown";
  return here.start === key.start ? "alive" : "dead";
}

const UNKNOWN = "0";

function keyOf(pid: number, { processes }: Platform) {
  const boot = processes.boot();
  return {
    start: processes.startOf(pid),
    pid,
    boot: boot === "" ? UNKNOWN : digest(boot),
    machine: digest(processes.machine()),
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

const digest = (text: string): string => sha256(text).toString("hex").slice(0, 8);
