import { spawn, spawnSync } from "node:child_process";
import { renameSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { win32 as path } from "node:path";
import { errorCode } from "../files/file-system.ts";
import { Refusal } from "../pure/refusal.ts";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";
import { windowsEndings, windowsInvocation } from "./win32-commands.ts";

export const WIN32: Platform = {
  ...POSIX,
  name: "win32",
  policyFolder: "C:\\ProgramData\\skills-mcp",
  files: {
    ...POSIX.files,
    foldCase: true,
    takeAnyName: false,
    haveModes: false,
    // NTFS need not update the times of folders.
    foldersHaveTimes: false,
    linkFreely: false,
    // Junctions are absolute and need no rights.
    linkFolder: (at, to) => symlink(to, at, "junction"),
    rename: (from, to) => renamePatiently(from, to, { rename: renameSync, pause: pauseSync }),
  },
  // A folder cannot be renamed while one below it is watched by itself.
  watching: { ...POSIX.watching, isRecursive: true },
  processes: {
    ...POSIX.processes,
    haveGroups: false,
    // There the signal means that the console window was closed.
    hangUpReloads: false,
    // There are no groups and no signals that a program can handle: asking means killing it and all that it started.
    signalGroup(leader) {
      // By its whole path: Windows would look for a name in the working folder first.
      const { command, args } = windowsInvocation(
        "taskkill",
        ["/pid", String(leader), "/T", "/F"],
        process.env,
      );
      spawn(command, args, { stdio: "ignore", windowsHide: true })
        .once("error", () => endAlone(leader))
        .unref();
      return true;
    },
  },
  programs: {
    invocation: windowsInvocation,
    interpreters: (name, environment) => INTERPRETERS[name]?.(environment) ?? [[name]],
    isReal: isRealInterpreter,
    endings: windowsEndings,
    plainEndings: [".exe", ".com"],
    npmFile: (command) => `${command}.cmd`,
    temporaryVariable: "TEMP",
    gitNeedsSystemSettings: true,
    needed:
      /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i,
    otherSide: () => undefined,
    // Not `start`, which is a command of the shell: a shell takes `&` in an address for the end of a command.
    browsers: (address) => [["rundll32", "url.dll,FileProtocolHandler", address]],
  },
};

const INTERPRETERS: Readonly<
  Record<string, (environment: NodeJS.ProcessEnv) => readonly (readonly [string, ...string[]])[]>
> = {
  // The installer of Python adds the first one to PATH, and the others on request only.
  python3: () => [["py", "-3"], ["python"], ["python3"]],
  bash: (environment) => [
    ...[
      [environment["ProgramFiles"], "Git"],
      [environment["ProgramW6432"], "Git"],
      [environment["LOCALAPPDATA"], "Programs", "Git"],
    ].flatMap(([folder, ...below]): [string][] =>
      folder === undefined ? [] : [[path.join(folder, ...below.map(String), "bin", "bash.exe")]],
    ),
    ["bash"],
  ],
};

/**
 * Windows has a `python` that only opens its shop, and a `bash` that runs in WSL, where the paths of this system mean nothing.
 */
function isRealInterpreter(name: string, [program, ...args]: readonly [string, ...string[]]): boolean {
  if (name === "bash") return !/\\(?:system32|sysnative|windowsapps)\\bash(?:\.exe)?$/i.test(program);
  if (name !== "python3") return true;
  const check = "import sys; sys.exit(0 if sys.version_info[0] == 3 else 1)";
  return (
    spawnSync(program, [...args, "-c", check], { stdio: "ignore", timeout: 10_000, windowsHide: true })
      .status === 0
  );
}

/** What Windows answers while another program has a folder, or something in it, open. */
const HELD: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EACCES"]);
/** Virus scanners and indexers let go after a moment, 1.3 s in all; a program that works in the folder does not. */
const PAUSES_MS = [20, 40, 80, 160, 320, 640];

export function renamePatiently(
  from: string,
  to: string,
  { rename, pause }: { readonly rename: typeof renameSync; readonly pause: (ms: number) => void },
): void {
  for (let attempt = 0; ; attempt++) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (!HELD.has(code)) throw error;
      const ms = PAUSES_MS[attempt];
      if (ms === undefined) throw heldFolder(from, code, error);
      pause(ms);
    }
  }
}

function heldFolder(folder: string, code: string, cause: unknown): Refusal {
  return new Refusal(
    `${folder} cannot be moved: another program has it open, or something in it (${code}). Close what works there, such as an agent, an editor or a terminal in that folder, then run the command again.`,
    { code: "cannot-write", file: folder },
    { cause },
  );
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function endAlone(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
