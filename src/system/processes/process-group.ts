import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/**
 * Starts a program as the leader of its own process group and session: one signal reaches everything it starts, and
 * nothing of it finds a terminal to ask at.
 *
 * execa is not used: it signals the child but not its group, kills a process at its output cap where we cut the output and
 * let it run, and its current major needs Node 22; with those options off, only `spawn` would be left of it.
 */
export function spawnGroup(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "stdio">,
): ChildProcess {
  return spawn(command, args, {
    ...options,
    shell: false,
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}

/** Signals a process group by its leader's pid. Returns whether there was such a group. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
