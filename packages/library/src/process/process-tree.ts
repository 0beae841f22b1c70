import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Platform, platform, readProcessStat, signalGroup } from "#util";

/** A process that runs now. */
type Process = NonNullable<ReturnType<typeof readProcessStat>>;

/** How to end one run. */
export interface ProcessEnding {
  /** Asks everything in the script's group to end. */
  ask(): void;
  /** Kills everything the script started, and resolves when nothing of it is left. */
  force(): Promise<void>;
  /** Bytes that everything the script started has written to disks so far; absent where that is not known. */
  readonly written?: () => number;
}

const ROUNDS = 100;
const BETWEEN_ROUNDS_MS = 10;
/** `/proc` is answered from memory in microseconds, so it is read synchronously, yielding to the event loop in between. */
const READS_PER_SLICE = 100;

/** What tells the processes of one run from all others. */
export interface ProcessMark {
  /** Only this run's environment contains it. */
  readonly text: string;
  /** Only this run's processes have this limit on file locks, if they have one: Linux passes it on and enforces it no more. */
  readonly limit?: number | undefined;
}

/** No other run has the same limit. */
export const createMarkedLimit = (): number => randomInt(2 ** 40, 2 ** 41);

/**
 * Ends a process group, for scripts without a namespace of their own. What left the group (setsid, a double fork) is found
 * on Linux by its mark, also when it emptied its environment.
 */
export function groupEnding(child: ChildProcess, mark: ProcessMark, on: Platform = platform): ProcessEnding {
  const { pid } = child;
  if (pid === undefined) return { ask() {}, async force() {} };
  if (!on.processes.haveGroups) return treeEnding(child, pid, on);
  const leader = on.sandbox === "bubblewrap" ? readProcessStat(pid) : undefined;
  return {
    ask: () => signalGroup(pid, "SIGTERM"),
    async force() {
      if (leader === undefined) {
        signalGroup(pid, "SIGKILL");
        return;
      }
      // Before the leader dies: its children are found by their parent only while it lives.
      let left = await processesOf(leader, mark);
      // The whole group at once, so that none can start another meanwhile; the id of an empty group may be reused.
      if (left.some(({ group }) => group === pid)) signalGroup(pid, "SIGKILL");
      for (let round = 0; round < ROUNDS && left.length > 0; round++) {
        left.forEach(killProcess);
        await sleep(BETWEEN_ROUNDS_MS);
        left = [...left.filter(isAlive), ...(await processesOf(leader, mark))];
      }
    },
  };
}

/** Ends a bubblewrap namespace: when its first process dies, the kernel kills all others in it. */
export function namespaceEnding(child: ChildProcess, firstProcess: () => Process | undefined): ProcessEnding {
  return {
    ask() {
      const first = firstProcess();
      // The first process leads the script's group. It is immune to the signal, the others are not.
      if (first === undefined || !signalGroup(first.pid, "SIGTERM")) child.kill("SIGTERM");
    },
    async force() {
      child.kill("SIGKILL");
      // Bubblewrap's report may still be in the pipe when its exit is known.
      for (let turn = 0; turn < 3 && firstProcess() === undefined; turn++) await nextTurn();
      const first = firstProcess();
      if (first === undefined) return;
      for (let round = 0; round < ROUNDS && isAlive(first); round++) {
        killProcess(first);
        await sleep(BETWEEN_ROUNDS_MS);
      }
    },
    written: () => writtenBelow(firstProcess()?.pid),
  };
}

/** What a process and everything below it wrote. The system adds what an ended process wrote to the one that waited for it. */
function writtenBelow(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = Number(/^write_bytes: (\d+)/m.exec(textOf(`/proc/${pid}/io`))?.[1] ?? 0);
  const children = namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`)
      .split(" ")
      .filter((child) => child !== ""),
  );
  return children.reduce((sum, child) => sum + writtenBelow(Number(child)), own);
}

/** Empty for a process that has just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function treeEnding(child: ChildProcess, pid: number, { processes }: Platform): ProcessEnding {
  const ask = (): void => void processes.signalGroup(pid, "SIGKILL");
  return {
    ask,
    async force() {
      // Another process may have its number by now.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit").catch(() => {});
      ask();
      await ended;
    },
  };
}

/** Everything that a script started and that still runs: by group, session and environment, and their children. */
async function processesOf(leader: Process, mark: ProcessMark): Promise<readonly Process[]> {
  const younger: Process[] = [];
  const own = new Map<number, Process>();
  const names = processNames();
  for (let from = 0; from < names.length; from += READS_PER_SLICE) {
    if (from > 0) await nextTurn();
    for (const name of names.slice(from, from + READS_PER_SLICE)) {
      const entry = Number(name) === process.pid ? undefined : readProcessStat(Number(name));
      if (entry === undefined || entry.ended || entry.started < leader.started) continue;
      younger.push(entry);
      if (isOwn(entry, leader, mark)) own.set(entry.pid, entry);
    }
  }
  // A child may be listed before its parent, so repeat until nothing is added.
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const entry of younger) if (own.has(entry.parent)) own.set(entry.pid, entry);
  }
  return [...own.values()];
}

/** Kills a process, unless its pid now belongs to another one. */
function killProcess(entry: Process): void {
  if (readProcessStat(entry.pid)?.started !== entry.started) return;
  try {
    process.kill(entry.pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

function isAlive(entry: Process): boolean {
  const now = readProcessStat(entry.pid);
  return now !== undefined && now.started === entry.started && !now.ended;
}

const processNames = (): readonly string[] => namesIn("/proc").filter((name) => /^\d+$/.test(name));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isOwn(entry: Process, leader: Process, mark: ProcessMark): boolean {
  if (entry.pid === leader.pid || entry.group === leader.pid || entry.session === leader.pid) return true;
  return (
    fileHas(`/proc/${entry.pid}/environ`, mark.text) ||
    (mark.limit !== undefined && fileHas(`/proc/${entry.pid}/limits`, String(mark.limit)))
  );
}

function fileHas(file: string, text: string): boolean {
  try {
    return readFileSync(file).includes(text);
  } catch {
    return false;
  }
}
