import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readProcessStat } from "../processes/process-stat.ts";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

export const LINUX: Platform = {
  ...POSIX,
  name: "linux",
  files: { ...POSIX.files, linkOfOpen: (descriptor) => `/proc/self/fd/${descriptor}` },
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
  sandbox: "bubblewrap",
};

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
