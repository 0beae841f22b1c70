import type { Mount, SystemMount } from "./mounts.ts";

export interface BubblewrapProfile {
  readonly system: readonly SystemMount[];
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  /** The run's own folder: in memory, with `home` and `tmp` inside. */
  readonly own: string;
  /** Small files for `/etc`, as path inside and path outside. */
  readonly files: readonly { readonly at: string; readonly from: string }[];
  /** The size of in-memory file systems; unlimited where bubblewrap is too old for it. */
  readonly memoryBytes: number | undefined;
  readonly limits: ResourceLimits | undefined;
  readonly command: readonly string[];
}

/** Set by `prlimit` inside, where only the sandbox's own processes count. */
interface ResourceLimits {
  readonly program: string;
  readonly cpuSeconds: number;
  /** Undefined for root, for whom the system ignores this limit. */
  readonly processes: number | undefined;
}

/** An idle Node uses 50 MB of it; reserved but unused memory does not count. */
const DATA_BYTES = 1024 ** 3;
const FILE_BYTES = 64 * 1024 ** 2;
const OPEN_FILES = 256;

/** The arguments of `bwrap`. The environment is not among them, because every user of the machine can read arguments. */
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
    // After the mounts, because the working folder may contain all temporary folders.
    ...[...memory, "--tmpfs", profile.own, "--dir", `${profile.own}/home`, "--dir", `${profile.own}/tmp`],
    // The root is in memory too, and everything writable is mounted by now.
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

/** The first process of the sandbox, and whether the script has ended: if bubblewrap ends first, it never started one. */
export function parseBubblewrapReport(text: string) {
  const firstPid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  return {
    firstPid: firstPid === undefined ? undefined : Number(firstPid),
    scriptEnded: /"exit-code":\s*\d+/.test(text),
  };
}
