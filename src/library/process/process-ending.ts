import { type ChildProcess, spawn } from "node:child_process";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isAlive, killProcess, type ProcessEntry, processesOf, readProcess } from "./process-table.ts";

/** How one run is brought to its end. */
export interface ProcessEnding {
  /** Asks everything in the script's group to end. */
  ask(): void;
  /** Ends everything the script started, and resolves when nothing of it is left. */
  force(): Promise<void>;
}

const ROUNDS = 100;
const BETWEEN_ROUNDS_MS = 10;

/**
 * A process group, for scripts without a namespace of their own. What left the group (setsid, a double fork) is found
 * on Linux by `mark`, a text that only this run's environment holds.
 */
export function groupEnding(child: ChildProcess, mark: string, platform: NodeJS.Platform): ProcessEnding {
  const { pid } = child;
  if (pid === undefined) return { ask() {}, async force() {} };
  if (platform === "win32") return windowsEnding(child, pid);
  const leader = platform === "linux" ? readProcess(pid) : undefined;
  return {
    ask: () => signalGroup(pid, "SIGTERM"),
    async force() {
      if (leader === undefined) {
        signalGroup(pid, "SIGKILL");
        return;
      }
      // Before the leader dies: its children are found by their parent only while it lives.
      let left = await processesOf(leader, mark);
      // All of the group at once, so that none can start another meanwhile; an empty one may be somebody else's by now.
      if (left.some(({ group }) => group === pid)) signalGroup(pid, "SIGKILL");
      for (let round = 0; round < ROUNDS && left.length > 0; round++) {
        left.forEach(killProcess);
        await sleep(BETWEEN_ROUNDS_MS);
        left = [...left.filter(isAlive), ...(await processesOf(leader, mark))];
      }
    },
  };
}

/** A bubblewrap namespace: when its first process dies, the kernel ends every other one in it. */
export function namespaceEnding(
  child: ChildProcess,
  firstProcess: () => ProcessEntry | undefined,
): ProcessEnding {
  return {
    ask() {
      const first = firstProcess();
      // The first process leads the group of the script. It is immune to the signal itself, the others are not.
      if (first === undefined || !signalGroup(first.pid, "SIGTERM")) child.kill("SIGTERM");
    },
    async force() {
      child.kill("SIGKILL");
      // What bubblewrap has reported may still be in the pipe when its exit is known.
      for (let turn = 0; turn < 3 && firstProcess() === undefined; turn++) await nextTurn();
      const first = firstProcess();
      if (first === undefined) return;
      for (let round = 0; round < ROUNDS && isAlive(first); round++) {
        killProcess(first);
        await sleep(BETWEEN_ROUNDS_MS);
      }
    },
  };
}

/** Whether there was such a group to tell. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

function windowsEnding(child: ChildProcess, pid: number): ProcessEnding {
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      const taskkill = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], {
        stdio: "ignore",
        windowsHide: true,
      });
      taskkill.once("error", () => {
        child.kill();
        resolve();
      });
      taskkill.once("exit", () => resolve());
    });
  // Windows has no signal that a program can answer, so asking is ending.
  return { ask: () => void end(), force: end };
}
