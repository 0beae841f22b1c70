import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

/** What stays as it is while a process runs, asked once. */
const known: { boot?: string; machine?: string } = {};

export const DARWIN: Platform = {
  ...POSIX,
  name: "darwin",
  policyFolder: "/Library/Application Support/skills-mcp",
  files: { ...POSIX.files, foldCase: true },
  // All watches of a process share one stream, which the system makes anew at each one that begins or ends; what happens
  // meanwhile is reported to none of them.
  watching: { ...POSIX.watching, isRecursive: true, isCertain: false },
  processes: {
    ...POSIX.processes,
    startOf(pid) {
      try {
        return parseStart(run("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)]));
      } catch (error) {
        // It ends with 1 where there is no such process.
        return (error as { readonly status?: unknown }).status === 1 ? undefined : "0";
      }
    },
    boot: () =>
      (known.boot ??= attempt(() => run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"]).trim(), "")),
    // Not the name of the machine, which follows the network that it is in. Without an answer, every other process is unknown.
    machine: () =>
      (known.machine ??= attempt(
        () => parseMachine(run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"])),
        randomUUID(),
      )),
  },
  programs: { ...POSIX.programs, browsers: (address) => [["open", address]] },
  sandbox: "seatbelt",
};

/** `Ss   Wed Nov 18 19:17:41 2026` as seconds; undefined for a process that has ended and waits to be reaped. */
export function parseStart(line: string): string | undefined {
  const [, state = "", began = ""] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(line) ?? [];
  if (state.startsWith("Z")) return undefined;
  const ms = Date.parse(`${began} UTC`);
  return Number.isNaN(ms) ? "0" : String(ms / 1000);
}

/** The number of the machine, which stays with it. */
export function parseMachine(text: string): string {
  const [, id] = /"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(text) ?? [];
  if (id === undefined) throw new Error("The machine has no IOPlatformUUID.");
  return id;
}

/** The language and the zone of the user would change what is printed. */
function run(program: string, args: readonly string[]): string {
  const env = { LC_ALL: "C", TZ: "UTC" };
  return execFileSync(program, args, {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5_000,
  });
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
