import fs from "node:fs";
import path from "node:path";
import { inTurn, type Steps } from "../../catalog/steps.ts";
import { errorCode } from "../../system/file-system.ts";

/**
 * Watches exactly the folders that a scan reads, one plain watch each. Recursive watching on Node 20 goes silent
 * after an editor's atomic save; a plain watch of the folder sees every one.
 */
export interface FolderWatcher {
  /** Watches a folder from now on. Called before the folder is read, so that no change falls in between. */
  ensure(folder: string): void;
  /**
   * Stops watching every folder but these, and watches for `awaited` files and folders to appear or change.
   * Answers whether it began to watch a new place, which may have changed just before. In steps, because there may be
   * a hundred thousand folders.
   */
  settle(folders: ReadonlySet<string>, awaited: readonly string[]): Steps<boolean>;
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

/** A watch alone does not keep the process alive. */
const UNNOTICED = { persistent: false } as const;

export function createFolderWatcher({ onChange, onLimit }: FolderWatcherOptions): FolderWatcher {
  // There are ten thousands of them, so none has functions or objects of its own.
  const watches = new Map<string, fs.FSWatcher>();
  const folderOf = new Map<fs.FSWatcher, string>();
  /** The names that matter in some folders; in the others every name does. */
  const namesIn = new Map<string, ReadonlySet<string>>();
  /** Folders that were moved or deleted: a watch follows the old folder, not the path. */
  const stale = new Set<string>();
  let atLimit = false;
  let limitTold = false;
  let closed = false;

  function onEvent(this: fs.FSWatcher, kind: string, name: string | null): void {
    const folder = folderOf.get(this);
    if (closed || folder === undefined) return;
    const names = namesIn.get(folder);
    if (kind === "rename" && name !== null) {
      // The system reports a folder's own end under the folder's own name.
      if (name === path.basename(folder)) stale.add(folder);
      if (watches.has(path.join(folder, name))) stale.add(path.join(folder, name));
    }
    if (name !== null && names?.has(name) === false && !stale.has(folder)) return;
    if (names !== undefined) {
      onChange();
      return;
    }
    onChange({ folder, name: name ?? undefined });
    if (name !== path.basename(folder)) return;
    const above = path.dirname(folder);
    onChange(watches.has(above) ? { folder: above, name } : undefined);
  }

  function onError(this: fs.FSWatcher): void {
    const folder = folderOf.get(this);
    if (folder !== undefined) stop(folder);
    onChange();
  }

  function start(folder: string, names: ReadonlySet<string> | undefined): boolean {
    if (closed || atLimit) return false;
    try {
      const handle = fs.watch(folder, UNNOTICED).on("change", onEvent).on("error", onError);
      watches.set(folder, handle);
      folderOf.set(handle, folder);
      if (names !== undefined) namesIn.set(folder, names);
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
    const handle = watches.get(folder);
    if (handle === undefined) return;
    handle.close();
    watches.delete(folder);
    folderOf.delete(handle);
    namesIn.delete(folder);
  }

  function dropStale(): void {
    if (stale.size === 0) return;
    for (const folder of watches.keys()) if (isBelowAny(folder, stale)) stop(folder);
    stale.clear();
  }

  return {
    ensure(folder) {
      dropStale();
      if (watches.has(folder)) namesIn.delete(folder);
      else start(folder, undefined);
    },
    *settle(folders, awaited) {
      dropStale();
      const parents = placesToAwait(awaited, folders);
      yield* inTurn([...watches.keys()], (folder) => {
        if (!folders.has(folder) && !parents.has(folder)) stop(folder);
      });
      let began = false;
      for (const [folder, names] of parents) {
        const known = namesIn.get(folder);
        if (!watches.has(folder)) began = start(folder, names) || began;
        else if (known !== undefined && !containsAll(known, names)) {
          namesIn.set(folder, names);
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
      for (const handle of watches.values()) handle.close();
      watches.clear();
      folderOf.clear();
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
