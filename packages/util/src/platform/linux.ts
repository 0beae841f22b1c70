import { readdirSync, readFileSync, readlinkSync, statfsSync } from "node:fs";
import { hostname } from "node:os";
import { readProcessStat } from "../processes/process-stat.ts";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

/** WSL sets it for every program that runs in it. */
const isWsl = (): boolean => process.env["WSL_DISTRO_NAME"] !== undefined;

export const LINUX: Platform = {
  ...POSIX,
  name: "linux",
  files: { ...POSIX.files, linkOfOpen: (descriptor) => `/proc/self/fd/${descriptor}` },
  watching: {
    ...POSIX.watching,
    isReported: (folder) => !UNREPORTED.has(attempt(() => statfsSync(folder).type, 0)),
  },
  processes: {
    ...POSIX.processes,
    startOf(pid) {
      const stat = readProcessStat(pid);
      if (stat === undefined) return "0";
      return stat.ended ? undefined : String(stat.started);
    },
    boot: () => attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), ""),
    machine: () => `${hostname()}\n${attempt(() => readlinkSync("/proc/self/ns/pid"), "")}`,
    // Node closes the first sixteen for its children, and macOS all of them.
    inherited: () =>
      attempt(() => readdirSync("/proc/self/fd"), [])
        .map(Number)
        .filter(isPassedOn),
  },
  programs: {
    ...POSIX.programs,
    // In WSL, programs of Windows are found in PATH, and the browser is there.
    browsers: (address) => [
      ...(isWsl()
        ? [["wslview", address] as const, ["rundll32.exe", "url.dll,FileProtocolHandler", address] as const]
        : []),
      ...POSIX.programs.browsers(address),
    ],
    otherSide: () =>
      isWsl()
        ? `This is the side of Linux (${process.env["WSL_DISTRO_NAME"]}). Agents that run on Windows read other files: run connect in PowerShell for those.`
        : undefined,
  },
  sandbox: "bubblewrap",
};

/**
 * File systems whose content others change, of which inotify learns nothing: by `f_type` of statfs(2). Docker on a Mac shares
 * folders by FUSE, WSL 2 the disks of Windows by 9p.
 */
const UNREPORTED: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x01021997, // 9p
  0x65735546, // FUSE, virtiofs
  0x53464846, // disks of Windows in WSL 1
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x786f4256, // folders of the host in VirtualBox
  0x7c7c6673, // folders of the host in Parallels
]);

const O_CLOEXEC = 0o2000000;

function isPassedOn(descriptor: number): boolean {
  if (descriptor <= 2) return false;
  const info = attempt(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"), "");
  const [, flags = ""] = /^flags:\s*([0-7]+)/m.exec(info) ?? [];
  return flags !== "" && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
}

/** Without /proc nothing is known. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
