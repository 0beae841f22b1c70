import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A process as Linux shows it. The start time tells it from a later one that was given the same number. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: number;
  /** Ended, and only waiting to be counted by its parent. */
  readonly dead: boolean;
}

/**
 * Read at a stretch. These files are answered from memory in a few microseconds, so reading them synchronously is many
 * times cheaper; a table of thousands must still let others have their turn.
 */
const AT_A_STRETCH = 100;

/** Reads `/proc/<pid>/stat`. The program's name may hold spaces and brackets, so fields count from the last bracket. */
export function parseProcessStat(text: string): ProcessEntry | undefined {
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  const pid = Number.parseInt(text, 10);
  const [parent, group, session, started] = [1, 2, 3, 19].map((index) => Number(fields[index]));
  if (nameEnd === -1 || !Number.isInteger(pid) || started === undefined || Number.isNaN(started))
    return undefined;
  const dead = fields[0] === "Z" || fields[0] === "X";
  return { pid, parent: parent ?? 0, group: group ?? 0, session: session ?? 0, started, dead };
}

export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** Everything alive that a script has started: by group, by session, by what its environment holds, and their children. */
export async function processesOf(leader: ProcessEntry, mark: string): Promise<readonly ProcessEntry[]> {
  const younger: ProcessEntry[] = [];
  const own = new Map<number, ProcessEntry>();
  const names = processNames();
  for (let from = 0; from < names.length; from += AT_A_STRETCH) {
    if (from > 0) await nextTurn();
    for (const name of names.slice(from, from + AT_A_STRETCH)) {
      const entry = Number(name) === process.pid ? undefined : readProcess(Number(name));
      if (entry === undefined || entry.dead || entry.started < leader.started) continue;
      younger.push(entry);
      if (isOwn(entry, leader, mark)) own.set(entry.pid, entry);
    }
  }
  // A child may be listed before its parent, so look until nothing is added.
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const entry of younger) if (own.has(entry.parent)) own.set(entry.pid, entry);
  }
  return [...own.values()];
}

/** Ends one process, if the number still means that process. */
export function killProcess(entry: ProcessEntry): void {
  if (readProcess(entry.pid)?.started !== entry.started) return;
  try {
    process.kill(entry.pid, "SIGKILL");
  } catch {
    // It ended by itself in between.
  }
}

/** Whether that very process is still running. */
export function isAlive(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return now !== undefined && now.started === entry.started && !now.dead;
}

function processNames(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function isOwn(entry: ProcessEntry, leader: ProcessEntry, mark: string): boolean {
  if (entry.pid === leader.pid || entry.group === leader.pid || entry.session === leader.pid) return true;
  try {
    return readFileSync(`/proc/${entry.pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}
