import fs from "node:fs";
import path from "node:path";
import { errorCode } from "./file-system.ts";

/**
 * Watches exactly the folders that a scan reads, one plain watch each. Recursive watching on Node 20 goes silent
 * after an editor's atomic save; a plain watch of the folder sees every one.
 */
export interface FolderWatcher {
  /** Watches a folder from now on. Called before the folder is read, so that no change falls in between. */
  ensure(folder: string): void;
  /**
   * Stops watching every folder but these, and watches for `awaited` files and folders to appear or change.
   * Answers whether it began to watch a new place, which may have changed just before.
   */
  settle(folders: ReadonlySet<string>, awaited: readonly string[]): boolean;
  /** Tries again where the system allowed no more watches: others may have ended theirs. */
  retry(): void;
  /** Whether every folder is watched that should be. */
  isHealthy(): boolean;
  close(): void;
}

/** A folder, and the name in it that changed; undefined when the system did not say. */
export interface FolderChange {
  readonly folder: string;
  readonly name: string | undefined;
}

export interface FolderWatcherOptions {
  /** Without a change it may be anywhere. */
  readonly onChange: (change?: FolderChange) => void;
  /** Told once when the system allows no more watches. */
  readonly onLimit: (code: string) => void;
}

interface Watch {
  readonly handle: fs.FSWatcher;
  /** The names that matter in this folder; every name when undefined. */
  names: ReadonlySet<string> | undefined;
}

export function createFolderWatcher({ onChange, onLimit }: FolderWatcherOptions): FolderWatcher {
  const watches = new Map<string, Watch>();
  /** Folders that were moved or deleted: a watch follows the old folder, not the path. */
  const stale = new Set<string>();
  let atLimit = false;
  let limitTold = false;
  let closed = false;

  function onEvent(folder: string, kind: string, name: string | null): void {
    const watch = watches.get(folder);
    if (closed || watch === undefined) return;
    if (kind === "rename" && name !== null) {
      // The system reports a folder's own end under the folder's own name.
      if (name === path.basename(folder)) stale.add(folder);
      if (watches.has(path.join(folder, name))) stale.add(path.join(folder, name));
    }
    if (name !== null && watch.names?.has(name) === false && !stale.has(folder)) return;
    if (watch.names !== undefined) {
      onChange();
      return;
    }
    onChange({ folder, name: name ?? undefined });
    if (name !== path.basename(folder)) return;
    const above = path.dirname(folder);
    onChange(watches.has(above) ? { folder: above, name } : undefined);
  }

  function start(folder: string, names: ReadonlySet<string> | undefined): boolean {
    if (closed || atLimit) return false;
    try {
      const handle = fs.watch(folder, { persistent: false }, (kind, name) => onEvent(folder, kind, name));
      handle.on("error", () => {
        stop(folder);
        onChange();
      });
      watches.set(folder, { handle, names });
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOSPC" || code === "EMFILE") {
        atLimit = true;
        if (!limitTold) onLimit(code);
        limitTold = true;
      }
      // Anything else means that the folder is gone or closed to us: the next scan knows.
      return false;
    }
  }

  function stop(folder: string): void {
    watches.get(folder)?.handle.close();
    watches.delete(folder);
  }

  function dropStale(): void {
    if (stale.size === 0) return;
    for (const folder of watches.keys()) if (isBelowAny(folder, stale)) stop(folder);
    stale.clear();
  }

  return {
    ensure(folder) {
      dropStale();
      const watch = watches.get(folder);
      if (watch === undefined) start(folder, undefined);
      else watch.names = undefined;
    },
    settle(folders, awaited) {
      dropStale();
      const parents = placesToAwait(awaited, folders);
      for (const folder of watches.keys()) if (!folders.has(folder) && !parents.has(folder)) stop(folder);
      let began = false;
      for (const [folder, names] of parents) {
        const watch = watches.get(folder);
        if (watch === undefined) began = start(folder, names) || began;
        else if (watch.names !== undefined && !containsAll(watch.names, names)) {
          watch.names = names;
          began = true;
        }
      }
      return began;
    },
    retry() {
      atLimit = false;
    },
    isHealthy: () => !atLimit,
    close() {
      closed = true;
      for (const { handle } of watches.values()) handle.close();
      watches.clear();
    },
  };
}

/** The nearest existing folder above each awaited path, with the next name on the way to it. */
function placesToAwait(
  awaited: readonly string[],
  watchedWhole: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const target of awaited) {
    let name = path.basename(target);
    let folder = path.dirname(target);
    while (!fs.existsSync(folder) && path.dirname(folder) !== folder) {
      name = path.basename(folder);
      folder = path.dirname(folder);
    }
    if (watchedWhole.has(folder)) continue;
    const names = places.get(folder);
    if (names === undefined) places.set(folder, new Set([name]));
    else names.add(name);
  }
  return places;
}

function containsAll(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  for (const name of some) if (!all.has(name)) return false;
  return true;
}

function isBelowAny(folder: string, above: ReadonlySet<string>): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (above.has(at)) return true;
    if (path.dirname(at) === at) return false;
  }
}
