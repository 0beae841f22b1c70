import { realPath } from "../scripts/programs.ts";
import type { Mount } from "./mounts.ts";
import type { BubblewrapLayer, LaunchRequest } from "./sandbox-layer.ts";

/** The size of each in-memory file system. */
const MEMORY_BYTES = 256 * 1024 ** 2;
const SHARED_MEMORY_BYTES = 64 * 1024 ** 2;
/** An idle Node uses 50 MB of it; reserved but unused memory does not count. */
const DATA_BYTES = 1024 ** 3;
const FILE_BYTES = 64 * 1024 ** 2;
const OPEN_FILES = 256;
const MOST_PROCESSES = 128;
/** After the three outputs of every process comes the report. */
const REPORT = 3;
const FIRST_PASSED = REPORT + 1;

/** How programs find the address of a host. */
const NAMES_OF_HOSTS = ["hosts", "resolv.conf", "nsswitch.conf", "host.conf", "gai.conf", "services"];

/** `resolv.conf` often is a link to a file that a sandbox does not have. */
const namesOfHosts = (): readonly string[] =>
  NAMES_OF_HOSTS.map((name) => `/etc/${name}`).flatMap((at) => ["--ro-bind-try", realPath(at) ?? at, at]);

type BubblewrapRequest = Omit<LaunchRequest, "environment" | "inherited">;

/** The descriptors that `bwrap` gets, from `FIRST_PASSED` on: those of the mounts, then the seccomp program. */
export function passedDescriptors(
  { bindsDescriptors }: BubblewrapLayer,
  { mounts }: Pick<BubblewrapRequest, "mounts">,
  seccomp: number | undefined,
): readonly number[] {
  const held = bindsDescriptors ? mounts.flatMap(({ descriptor }) => descriptor ?? []) : [];
  return [...held, ...(seccomp === undefined ? [] : [seccomp])];
}

/** The arguments of `bwrap`. The environment is not among them, because every user of the machine can read arguments. */
export function bubblewrapArguments(
  layer: BubblewrapLayer,
  { mounts, cwd, folder, command, cpuSeconds, network }: BubblewrapRequest,
  isRoot: boolean,
): readonly string[] {
  const { system, sizes, prlimit, disablesUsers, bindsDescriptors, seccomp } = layer;
  const size = (bytes: number) => (sizes ? ["--size", String(bytes)] : []);
  const own = folder.path;
  let next = FIRST_PASSED;
  const bind = (mount: Mount): readonly string[] => {
    const option = mount.access === "write" ? "--bind" : "--ro-bind";
    const isHeld = bindsDescriptors && mount.descriptor !== undefined;
    return isHeld
      ? [`${option}-fd`, String(next++), mount.path]
      : [option, mount.from ?? mount.path, mount.path];
  };
  return [
    ...["--json-status-fd", String(REPORT)],
    ...[
      "--unshare-all",
      ...(network ? ["--share-net"] : []),
      "--die-with-parent",
      "--new-session",
      "--cap-drop",
      "ALL",
    ],
    // Each namespace of its own is a way to parts of the kernel that users cannot reach otherwise.
    ...(disablesUsers ? ["--unshare-user", "--disable-userns"] : []),
    ...system.flatMap((mount) =>
      mount.kind === "link" ? ["--symlink", mount.target, mount.path] : ["--ro-bind", mount.path, mount.path],
    ),
    ...folder.files.flatMap(({ at, from }) => ["--ro-bind", from, at]),
    ...(network ? namesOfHosts() : []),
    // Root owns the settings of the machine, with or without capabilities.
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    ...["--dev", "/dev", ...(sizes ? [...size(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"] : [])],
    ...["--remount-ro", "/dev"],
    ...[...size(MEMORY_BYTES), "--tmpfs", "/tmp"],
    ...mounts.flatMap(bind),
    // After the mounts, because the working folder may contain all temporary folders.
    ...[...size(MEMORY_BYTES), "--tmpfs", own, "--dir", `${own}/home`, "--dir", `${own}/tmp`],
    // The root is in memory too, and everything writable is mounted by now.
    ...["--remount-ro", "/"],
    ...["--chdir", cwd],
    ...(seccomp === undefined ? [] : ["--seccomp", String(next++)]),
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
