import type { DirtyFolders } from "../scan/traverse.ts";
import type { FolderChange } from "./folder-watcher.ts";

/** Collects what the watcher reports between two scans. */
export interface DirtyFolderCollector {
  add(change: FolderChange | undefined): void;
  /** All that was reported since the last call; undefined when the change may be anywhere. */
  take(): DirtyFolders | undefined;
}

/** The system drops reports when more than some ten thousand are waiting, and does not say so. */
const MOST_REPORTS = 4_000;

export function createDirtyFolders(): DirtyFolderCollector {
  let folders = new Map<string, Set<string> | undefined>();
  let reports = 0;
  let isAnywhere = false;
  return {
    add(change) {
      reports++;
      if (change === undefined || reports > MOST_REPORTS) {
        isAnywhere = true;
        return;
      }
      const { folder, name } = change;
      const names = folders.get(folder);
      if (name === undefined) folders.set(folder, undefined);
      else if (names !== undefined) names.add(name);
      else if (!folders.has(folder)) folders.set(folder, new Set([name]));
    },
    take() {
      const taken = isAnywhere ? undefined : folders;
      folders = new Map();
      reports = 0;
      isAnywhere = false;
      return taken;
    },
  };
}
