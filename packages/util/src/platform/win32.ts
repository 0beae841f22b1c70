import { spawn } from "node:child_process";
import { symlink } from "node:fs/promises";
import type { Platform } from "./platform.ts";
import { POSIX } from "./posix.ts";

export const WIN32: Platform = {
  ...POSIX,
  name: "win32",
  files: {
    ...POSIX.files,
    foldCase: true,
    haveModes: false,
    // NTFS need not update the times of folders.
    foldersHaveTimes: false,
    linkFreely: false,
    // Junctions are absolute and need no rights.
    linkFolder: (at, to) => symlink(to, at, "junction"),
  },
  processes: {
    ...POSIX.processes,
    haveGroups: false,
    // There the signal means that the console window was closed.
    hangUpReloads: false,
    // There are no groups and no signals that a program can handle: asking means killing it and all that it started.
    signalGroup(leader) {
      spawn("taskkill", ["/pid", String(leader), "/T", "/F"], { stdio: "ignore", windowsHide: true })
        .once("error", () => endAlone(leader))
        .unref();
      return true;
    },
  },
  programs: {
    endings: (environment) => (environment["PATHEXT"] ?? ".EXE;.CMD").split(";"),
    plainEndings: [".exe", ".com"],
    npmFile: (command) => `${command}.cmd`,
    temporaryVariable: "TEMP",
    gitNeedsSystemSettings: true,
    needed:
      /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i,
    // Not `start`, which is a command of the shell: a shell takes `&` in an address for the end of a command.
    browsers: (address) => [["rundll32", "url.dll,FileProtocolHandler", address]],
  },
};

function endAlone(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
