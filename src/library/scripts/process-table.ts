import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

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

/** Files read at the same time: a table of thousands must not fill the queue that the whole server reads through. */
const AT_ONCE = 32;

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
  const younger = (await inBatches(await readdir("/proc"), readYounger(leader.started))).filter(
    (entry) => entry !== undefined,
  );
  const own = new Map<number, ProcessEntry>();
  const marked = await inBatches(younger, async (entry) => isMarked(entry, leader, mark));
  younger.forEach((entry, index) => {
    if (marked[index] === true) own.set(entry.pid, entry);
  });
  // A child may be listed before its parent, so look until nothing is added.
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const entry of younger) if (own.has(entry.parent)) own.set(entry.pid, entry);
  }
  return [...own.values()].filter((entry) => !entry.dead);
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

function readYounger(since: number): (name: string) => Promise<ProcessEntry | undefined> {
  return async (name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return undefined;
    try {
      const entry = parseProcessStat(await readFile(`/proc/${name}/stat`, "utf8"));
      return entry !== undefined && entry.started >= since ? entry : undefined;
    } catch {
      return undefined;
    }
  };
}

async function isMarked(entry: ProcessEntry, leader: ProcessEntry, mark: string): Promise<boolean> {
  if (entry.pid === leader.pid || entry.group === leader.pid || entry.session === leader.pid) return true;
  try {
    return (await readFile(`/proc/${entry.pid}/environ`)).includes(mark);
  } catch {
    return false;
  }
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}
