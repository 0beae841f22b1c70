import { createHash, randomUUID } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

/** Which process a private file belongs to. A pid alone is reused; a pid and its start time are not. */
export interface Owner {
  readonly pid: number;
  /** Where the pid means something (this boot of this machine, this pid namespace) and when the process started there. */
  readonly started: string;
}

/** Owners whose life cannot be seen touch their files at each flush; after so long without they are gone. */
const ABANDONED_MS = 10 * 60_000;

export async function thisOwner(): Promise<Owner> {
  const { pid } = process;
  const ticks = await startOf(pid);
  const started = ticks ?? String(Math.round(Date.now() - process.uptime() * 1000));
  return { pid, started: `${await scopeOf()}-${started}` };
}

export function partName({ pid, started }: Owner): string {
  return `analytics-buffer.${pid}.${started}.${randomUUID()}.part`;
}

export function ownerOf(fileName: string): Owner | undefined {
  const found = /^analytics-buffer\.(\d+)\.([0-9a-z-]+)\.[0-9a-f-]{36}\.part$/.exec(fileName);
  return found === null ? undefined : { pid: Number(found[1]), started: found[2] ?? "" };
}

/** True when the owner of a file cannot come back to it. */
export async function isGone(owner: Owner, self: Owner, untouchedMs: number): Promise<boolean> {
  if (owner.pid === self.pid && owner.started === self.started) return false;
  const [scope, start] = owner.started.split("-");
  if (scope !== self.started.split("-")[0]) return untouchedMs > ABANDONED_MS;
  if (!exists(owner.pid)) return true;
  const running = await startOf(owner.pid);
  return running === undefined ? untouchedMs > ABANDONED_MS : running !== start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** When a process started, in ticks since boot; "ended" for one that only waits to be reaped. Known on Linux alone. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the program's name, which may hold spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

async function scopeOf(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const machine = boot === "" ? hostname() : boot;
  return createHash("sha256").update(`${machine}\n${namespace}`).digest("hex").slice(0, 8);
}
