import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * A process by more than its number, which is used again after its end: `<pid>-<start>-<boot>-<machine>-<once>`.
 * `start` and `boot` are 0 where the system has no /proc.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  readonly machine: string;
}

const TEXT = /^(\d+)-(\d+)-([0-9a-f]+)-([0-9a-f]+)-[0-9a-f]+$/;

/** A name for this process that no other holder of anything has, now or later. */
export function ownIdentity(): string {
  const { pid, start, boot, machine } = identityOf(process.pid);
  return `${pid}-${start}-${boot}-${machine}-${randomBytes(6).toString("hex")}`;
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, pid = "", start = "", boot = "", machine = ""] = TEXT.exec(text) ?? [];
  return pid === "" ? undefined : { pid: Number(pid), start, boot, machine };
}

/** Whether the process still runs; `unknown` for one on another machine or in another container. */
export function processState(identity: ProcessIdentity): "alive" | "dead" | "unknown" {
  const here = identityOf(identity.pid);
  if (here.machine !== identity.machine) return "unknown";
  if (here.boot !== identity.boot) return "dead";
  return here.start === identity.start && isRunning(identity.pid) ? "alive" : "dead";
}

/** When a process began, in the system's ticks; "0" if that is not known. */
export function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything, so fields are counted from its end. A zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "0" : (fields[19] ?? "0");
  } catch {
    return "0";
  }
}

function identityOf(pid: number): ProcessIdentity {
  const boot = readLine("/proc/sys/kernel/random/boot_id");
  return {
    pid,
    start: startOf(pid),
    boot: boot === "" ? "0" : shortHash(boot),
    machine: shortHash(hostname()),
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

function readLine(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
