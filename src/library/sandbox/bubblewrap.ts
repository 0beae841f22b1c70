import type { BubblewrapLayer, LaunchRequest } from "./sandbox-layer.ts";

/** The size of each in-memory file system. */
const MEMORY_BYTES = 256 * 1024 ** 2;
/** An idle Node uses 50 MB of it; reserved but unused memory does not count. */
const DATA_BYTES = 1024 ** 3;
const FILE_BYTES = 64 * 1024 ** 2;
const OPEN_FILES = 256;
const MOST_PROCESSES = 128;

/** The arguments of `bwrap`. The environment is not among them, because every user of the machine can read arguments. */
export function bubblewrapArguments(
  { system, sizes, prlimit }: BubblewrapLayer,
  { mounts, cwd, folder, command, cpuSeconds }: Omit<LaunchRequest, "environment">,
  isRoot: boolean,
): readonly string[] {
  const memory = sizes ? ["--size", String(MEMORY_BYTES)] : [];
  const own = folder.path;
  return [
    ...["--json-status-fd", "3"],
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...system.flatMap((mount) =>
      mount.kind === "link" ? ["--symlink", mount.target, mount.path] : ["--ro-bind", mount.path, mount.path],
    ),
    ...folder.files.flatMap(({ at, from }) => ["--ro-bind", from, at]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...[...memory, "--tmpfs", "/tmp"],
    ...mounts.flatMap((mount) => [mount.access === "write" ? "--bind" : "--ro-bind", mount.path, mount.path]),
    // After the mounts, because the working folder may contain all temporary folders.
    ...[...memory, "--tmpfs", own, "--dir", `${own}/home`, "--dir", `${own}/tmp`],
    // The root is in memory too, and everything writable is mounted by now.
    ...["--remount-ro", "/"],
    ...["--chdir", cwd],
    "--",
    ...(prlimit === undefined ? [] : limited(prlimit, cpuSeconds, isRoot)),
    ...command,
  ];
}

/** Set by `prlimit` inside, where only the sandbox's own processes count. For root, the system ignores their number. */
function limited(prlimit: string, cpuSeconds: number, isRoot: boolean): readonly string[] {
  return [
    prlimit,
    `--data=${DATA_BYTES}`,
    `--fsize=${FILE_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    `--cpu=${cpuSeconds}`,
    ...(isRoot ? [] : [`--nproc=${MOST_PROCESSES}`]),
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
