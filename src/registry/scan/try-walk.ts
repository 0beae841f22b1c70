import fs from "node:fs";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { describeError, errorCode, stat } from "../../system/file-system.ts";
import type { Pace } from "../../system/time-slice.ts";
import type { Unsure, Walk, Walker, WalkLook } from "./walk.ts";

export interface TriedWalk {
  readonly walk: Walk;
  readonly unsure: Unsure;
}

const noFolders = (): ReadonlySet<string> => new Set();

/** Walks a folder. One that is missing, a file, or closed to us says so and leaves the others alone. */
export async function tryWalk(
  dir: string,
  walker: Walker,
  pace: Pace,
  ifMissing: readonly Diagnostic[],
  look: WalkLook,
): Promise<TriedWalk> {
  const nothing = (diagnostics: readonly Diagnostic[]): TriedWalk => {
    walker.forget();
    const walk = {
      realDir: dir,
      files: [],
      folders: noFolders,
      outside: [],
      awaited: [],
      listing: 0,
      diagnostics,
    };
    return { walk, unsure: "all" };
  };
  try {
    // Most of the folders that are looked for do not exist, which a thrown error would make dear.
    const stats = pace.isQuick() ? fs.statSync(dir, { throwIfNoEntry: false }) : await stat(dir);
    if (stats === undefined) return nothing(ifMissing);
    if (stats.isDirectory()) return await walker.walk(look);
    const message = "It is not a folder, so no skills can be found in it.";
    return nothing([{ severity: "error", code: "root-not-a-folder", file: dir, message }]);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return nothing(ifMissing);
    const message = `This folder cannot be read: ${describeError(error)}.`;
    return nothing([{ severity: "error", code: "unreadable", file: dir, message }]);
  }
}
