import { renameSync, watch } from "node:fs";
import { symlink } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import type { Platform } from "./platform.ts";

/** What Linux and macOS have in common, and all that is known of other systems of their kind. */
export const POSIX = {
  policyFolder: "/etc/skills-mcp",
  files: {
    foldCase: false,
    takeAnyName: true,
    haveModes: true,
    foldersHaveTimes: true,
    linkFreely: true,
    linkOfOpen: () => undefined,
    // Relative, so that the project can be moved.
    linkFolder: (at, to, target) => symlink(path.relative(path.dirname(target), to), at),
    rename: renameSync,
  },
  watching: {
    isRecursive: false,
    isCertain: true,
    // A watch alone does not keep the process alive.
    watch: (folder, isTree) => watch(folder, { persistent: false, recursive: isTree }),
    isReported: () => true,
  },
  processes: {
    haveGroups: true,
    hangUpReloads: true,
    startOf: () => "0",
    signalGroup(leader, signal) {
      try {
        return process.kill(-leader, signal);
      } catch {
        return false;
      }
    },
    boot: () => "",
    machine: hostname,
    inherited: () => [],
  },
  programs: {
    invocation: (command, args) => ({ command, args }),
    interpreters: (name) => [[name]],
    isReal: () => true,
    endings: () => [""],
    plainEndings: [""],
    npmFile: (command) => command,
    temporaryVariable: "TMPDIR",
    gitNeedsSystemSettings: false,
    needed: undefined,
    otherSide: () => undefined,
    browsers: (address) => [["xdg-open", address]],
  },
  sandbox: undefined,
} as const satisfies Omit<Platform, "name">;
