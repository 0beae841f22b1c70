import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { platform } from "../platform/this-platform.ts";

/**
 * Starts a program as the leader of its own process group and session: one signal reaches everything it starts, and no
 * part of it can prompt on a terminal.
 *
 * execa is not used: it signals the child but not its group, kills a process that exceeds the output cap where we only cut
 * the output, and its current major version needs Node 22.
 */
export function spawnGroup(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "stdio">,
): ChildProcess {
  const start = platform.programs.invocation(command, args, options.env ?? process.env);
  return spawn(start.command, start.args, {
    ...options,
    windowsVerbatimArguments: start.isVerbatim === true,
    shell: false,
    detached: platform.processes.haveGroups,
    windowsHide: true,
  });
}

/** Signals a process that leads a group, and all that it started. Returns whether there was such a group. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  return platform.processes.signalGroup(leader, signal);
}
