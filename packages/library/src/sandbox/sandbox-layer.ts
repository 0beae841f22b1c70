import type { ChildProcess } from "node:child_process";
import { readProcessStat } from "#util";
import { createMarkedLimit, groupEnding, namespaceEnding } from "../process/process-tree.ts";
import type { ProcessEnd, ProcessLaunch } from "../process/run-process.ts";
import { bubblewrapArguments, parseBubblewrapReport, passedDescriptors } from "./bubblewrap.ts";
import type { Mount, SystemMount } from "./mounts.ts";
import type { PrivateFolder } from "./private-folder.ts";
import { seatbeltProfile } from "./seatbelt.ts";

export interface BubblewrapLayer {
  readonly kind: "bubblewrap";
  readonly program: string;
  readonly system: readonly SystemMount[];
  /** Whether this bubblewrap can limit the size of its in-memory file systems. */
  readonly sizes: boolean;
  /** Whether it can mount an open descriptor. */
  readonly bindsDescriptors: boolean;
  /** Whether it can forbid further user namespaces. */
  readonly disablesUsers: boolean;
  /** The system calls that fail, as a program for the kernel. */
  readonly seccomp: Buffer | undefined;
  readonly prlimit: string | undefined;
}

/** What isolates scripts from the machine, with everything needed to use it. */
export type SandboxLayer =
  | BubblewrapLayer
  | { readonly kind: "seatbelt"; readonly program: string; readonly developer: readonly string[] }
  /** With `prlimit`, what a script starts is marked, so that all of it can be found. */
  | {
      readonly kind: "none";
      readonly reason: string;
      /** What the operator can do about it, as whole sentences; empty if nothing. */
      readonly way: string;
      readonly prlimit?: string | undefined;
    };

export interface LaunchRequest {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly folder: Omit<PrivateFolder, "remove">;
  readonly network: boolean;
  /** Descriptors of the server that a script must not get. */
  readonly inherited: readonly number[];
  /** A limit for each process, in case the server dies and cannot enforce the timeout. */
  readonly cpuSeconds: number;
}

export interface LayeredLaunch extends ProcessLaunch {
  /** Whether the sandbox failed and the script never ran. */
  readonly failedToStart: (end: ProcessEnd) => boolean;
}

export function launchIn(layer: SandboxLayer, request: LaunchRequest): LayeredLaunch {
  if (layer.kind === "bubblewrap") return bubblewrapLaunch(layer, request);
  if (layer.kind === "none") return markedLaunch(layer.prlimit, request);
  const profile = seatbeltProfile(request.mounts, request.folder.path, request.network, layer.developer);
  return {
    ...groupLaunch(request, [layer.program, "-p", profile, ...request.command]),
    failedToStart: (end) => end.exitCode !== 0 && end.stderr.text.startsWith("sandbox-exec:"),
  };
}

function markedLaunch(prlimit: string | undefined, request: LaunchRequest): LayeredLaunch {
  if (prlimit === undefined) return groupLaunch(request, request.command);
  const limit = createMarkedLimit();
  return groupLaunch(request, [prlimit, `--locks=${limit}:${limit}`, "--", ...request.command], limit);
}

function groupLaunch(
  request: LaunchRequest,
  [command = "", ...args]: readonly string[],
  limit?: number,
): LayeredLaunch {
  const mark = { text: request.folder.temp, limit };
  return {
    command,
    args,
    cwd: request.cwd,
    environment: request.environment,
    reports: false,
    passed: [],
    inherited: request.inherited,
    ending: (child) => groupEnding(child, mark),
    failedToStart: () => false,
  };
}

function bubblewrapLaunch(layer: BubblewrapLayer, request: LaunchRequest): LayeredLaunch {
  let report = "";
  let first: ReturnType<typeof readProcessStat>;

  function listen(child: ChildProcess): void {
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      report += chunk.toString("latin1");
      const { firstPid } = parseBubblewrapReport(report);
      if (firstPid !== undefined) first ??= readProcessStat(firstPid);
    });
    child.stdio[3]?.on("error", () => {});
  }

  return {
    command: layer.program,
    args: bubblewrapArguments(layer, request, process.getuid?.() === 0),
    // Bubblewrap's own working folder is not the script's, and must not stay in use.
    cwd: "/",
    environment: request.environment,
    reports: true,
    passed: passedDescriptors(layer, request, request.folder.seccomp),
    inherited: request.inherited,
    ending(child) {
      listen(child);
      return namespaceEnding(child, () => first);
    },
    failedToStart: () => !parseBubblewrapReport(report).scriptEnded,
  };
}
