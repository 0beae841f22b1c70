import type { Touched } from "../scan/walk.ts";
import type { FolderChange } from "./folder-watcher.ts";

/** Gathers what the watcher reports between two looks. */
export interface TouchedFolders {
  add(change: FolderChange | undefined): void;
  /** All that was reported since the last call; undefined when it may be anywhere. */
  take(): Touched | undefined;
}

/** The system drops reports when more than some ten thousand are waiting, and does not say so. */
const MOST_REPORTS = 4_000;

export function createTouchedFolders(): TouchedFolders {
  let folders = new Map<string, Set<string> | undefined>();
  let reports = 0;
  let anywhere = false;
  return {
    add(change) {
      reports++;
      if (change === undefined || reports > MOST_REPORTS) {
        anywhere = true;
        return;
      }
      const { folder, name } = change;
      const names = folders.get(folder);
      if (name === undefined) folders.set(folder, undefined);
      else if (names !== undefined) names.add(name);
      else if (!folders.has(folder)) folders.set(folder, new Set([name]));
    },
    take() {
      const taken = anywhere ? undefined : folders;
      folders = new Map();
      reports = 0;
      anywhere = false;
      return taken;
    },
  };
}
