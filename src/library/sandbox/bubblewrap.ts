import type { Mount } from "./mounts.ts";
import type { SystemMount } from "./system-mounts.ts";

export interface BubblewrapProfile {
  readonly system: readonly SystemMount[];
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  /** The run's own folder: empty memory with `home` and `tmp` inside. */
  readonly own: string;
  /** Small files for `/etc`, as path inside and path outside. */
  readonly files: readonly { readonly at: string; readonly from: string }[];
  /** How much may be written to memory; unlimited where bubblewrap is too old to say. */
  readonly memoryBytes: number | undefined;
  readonly limits: ResourceLimits | undefined;
  readonly command: readonly string[];
}

/** Set by `prlimit` inside, where the count of processes is the sandbox's own and not the user's. */
interface ResourceLimits {
  readonly program: string;
  readonly cpuSeconds: number;
  /** The system ignores this limit for root, so it is left out there. */
  readonly processes: number | undefined;
}

/** An idle Node takes 50 MB of it; reserved but unused memory does not count. */
const DATA_BYTES = 1024 ** 3;
const FILE_BYTES = 64 * 1024 ** 2;
const OPEN_FILES = 256;

/**
 * The arguments of `bwrap`. The environment is not among them: it goes through the process itself, because arguments
 * can be read by every user of the machine.
 */
export function bubblewrapArguments(profile: BubblewrapProfile): readonly string[] {
  const memory = profile.memoryBytes === undefined ? [] : ["--size", String(profile.memoryBytes)];
  return [
    ...["--json-status-fd", "3"],
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...profile.system.flatMap((mount) =>
      mount.kind === "link" ? ["--symlink", mount.target, mount.path] : ["--ro-bind", mount.path, mount.path],
    ),
    ...profile.files.flatMap(({ at, from }) => ["--ro-bind", from, at]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...[...memory, "--tmpfs", "/tmp"],
    ...profile.mounts.flatMap((mount) => [
      mount.access === "write" ? "--bind" : "--ro-bind",
      mount.path,
      mount.path,
    ]),
    // After the mounts, because the working folder may be the one that all temporary folders are in.
    ...[...memory, "--tmpfs", profile.own, "--dir", `${profile.own}/home`, "--dir", `${profile.own}/tmp`],
    // The root itself is memory too, and everything that may be written to is mounted by now.
    ...["--remount-ro", "/"],
    ...["--chdir", profile.cwd],
    "--",
    ...(profile.limits === undefined ? [] : limited(profile.limits)),
    ...profile.command,
  ];
}

function limited({ program, cpuSeconds, processes }: ResourceLimits): readonly string[] {
  return [
    program,
    `--data=${DATA_BYTES}`,
    `--fsize=${FILE_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    `--cpu=${cpuSeconds}`,
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    "--",
  ];
}

/** What bubblewrap reports about itself: the first process of the sandbox, and later how the script ended. */
export interface BubblewrapReport {
  readonly firstPid: number | undefined;
  /** False until the script has ended; if bubblewrap ends before, it never got as far as starting it. */
  readonly scriptEnded: boolean;
}

export function parseBubblewrapReport(text: string): BubblewrapReport {
  const firstPid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  return {
    firstPid: firstPid === undefined ? undefined : Number(firstPid),
    scriptEnded: /"exit-code":\s*\d+/.test(text),
  };
}
