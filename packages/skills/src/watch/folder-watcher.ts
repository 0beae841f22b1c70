import fs from "node:fs";
import path from "node:path";
import { createTimeSlices, errorCode, type Platform, platform } from "#util";
import type { DirtyFolders } from "../scan/listing.ts";

/** A folder, and the name in it that changed; undefined when the system did not say. */
export interface FolderChange {
  readonly folder: string;
  readonly name: string | undefined;
}

export interface FolderWatcherOptions {
  /** Without a change it may be anywhere. */
  readonly onChange: (change?: FolderChange) => void;
  /** Called once when the system allows no more watches. */
  readonly onLimit: (code: string) => void;
  /** Called once for the first folder on a file system that reports no changes. */
  readonly onUnreported?: (folder: string) => void;
}

/** A watch knows its folder, so that all of them share their listeners: there may be more than ten thousand. */
interface Watch extends fs.FSWatcher {
  readonly folder: string;
  /** Whether it reports everything below its folder too. */
  readonly isTree: boolean;
}

/**
 * Watches exactly the folders that a scan lists: one watch each, or one for the outermost folder and all below it where the
 * system itself can do that. There, a watch of each would be worse: on Windows none of them can be renamed any more, and on
 * macOS each one that begins or ends makes the system forget what it was about to report of the others.
 */
export class FolderWatcher {
  private readonly options: FolderWatcherOptions;
  private readonly on: Platform;
  private readonly watches = new Map<string, Watch>();
  /** The names that matter in some folders; in the others every name does. */
  private readonly namesIn = new Map<string, ReadonlySet<string>>();
  /** Folders that were listed and lie below a watch that reports them, by `keyOf`. */
  private readonly covered = new Map<string, string>();
  /** Folders that cannot be watched, because their file system reports nothing. */
  private readonly unreported = new Set<string>();
  /** Folders that were moved or deleted: a watch follows the old folder, not the path. */
  private readonly stale = new Set<string>();
  private isAtLimit = false;
  private isLimitReported = false;
  private isUnreportedReported = false;
  private closed = false;

  private readonly listeners: ReturnType<typeof listenersOf>;

  constructor(options: FolderWatcherOptions, on: Platform = platform) {
    this.options = options;
    this.on = on;
    this.listeners = listenersOf(
      (watch, kind, name) => this.onEvent(watch, kind, name),
      (watch) => this.onError(watch),
    );
  }

  /** Watches a folder from now on. Called before the folder is listed, so that no change falls in between. */
  ensure(folder: string): void {
    this.dropStale();
    const known = this.watches.get(folder);
    // One that only awaited something in the folder reports nothing below it.
    if (known !== undefined && known.isTree !== this.on.watching.isRecursive) this.stop(folder);
    else if (known !== undefined) this.namesIn.delete(folder);
    if (this.watches.has(folder)) return;
    if (this.isCovered(folder)) this.covered.set(this.keyOf(folder), folder);
    else this.start(folder, undefined);
  }

  /**
   * Stops watching every folder but these, and watches for `awaited` files and folders to appear or change. Returns
   * whether it began to watch a new place, which may have changed just before.
   */
  async settle(folders: ReadonlySet<string>, awaited: readonly string[]): Promise<boolean> {
    this.dropStale();
    const parents = placesToAwait(awaited, folders);
    const slices = createTimeSlices();
    for (const [key, folder] of this.covered) if (!folders.has(folder)) this.covered.delete(key);
    for (const folder of this.unreported)
      if (!folders.has(folder) && !parents.has(folder)) this.unreported.delete(folder);
    for (const folder of [...this.watches.keys()]) {
      if (folders.has(folder) || parents.has(folder)) continue;
      this.stop(folder);
      await slices.yieldIfDue();
    }
    let began = false;
    for (const [folder, names] of parents) {
      const known = this.namesIn.get(folder);
      if (!this.watches.has(folder)) began = this.start(folder, names) || began;
      else if (known !== undefined && !containsAll(known, names)) {
        this.namesIn.set(folder, names);
        began = true;
      }
    }
    return began;
  }

  /** Tries again where the system allowed no more watches: other processes may have ended theirs. */
  retry(): void {
    this.isAtLimit = false;
  }

  /** Whether every folder is watched that should be, and every change in one is reported. */
  isHealthy(): boolean {
    return !this.isAtLimit && this.unreported.size === 0 && this.on.watching.isCertain;
  }

  close(): void {
    this.closed = true;
    for (const handle of this.watches.values()) handle.close();
    this.watches.clear();
    this.covered.clear();
  }

  private onEvent(watch: Watch, kind: string, name: string | null): void {
    const { folder } = watch;
    if (this.closed || !this.watches.has(folder)) return;
    if (watch.isTree && name !== null && name !== path.basename(folder)) this.onTreeEvent(folder, name);
    else this.onFolderEvent(folder, kind, name);
  }

  /** Somewhere below the folder. What changes in a folder that no scan lists, such as `.git`, is nobody's concern. */
  private onTreeEvent(root: string, inside: string): void {
    const changed = path.join(root, inside);
    const parent = path.dirname(changed);
    const folder = parent === root ? root : this.covered.get(this.keyOf(parent));
    if (folder !== undefined) this.options.onChange({ folder, name: path.basename(changed) });
  }

  private onFolderEvent(folder: string, kind: string, name: string | null): void {
    const { onChange } = this.options;
    const ownName = path.basename(folder);
    if (kind === "rename" && name !== null) {
      // The system reports a folder's own end under the folder's own name.
      if (name === ownName) this.stale.add(folder);
      if (this.watches.has(path.join(folder, name))) this.stale.add(path.join(folder, name));
    }
    const names = this.namesIn.get(folder);
    if (name !== null && names?.has(name) === false && !this.stale.has(folder)) return;
    if (names !== undefined) {
      onChange();
      return;
    }
    onChange({ folder, name: name ?? undefined });
    if (name !== ownName) return;
    const above = path.dirname(folder);
    onChange(this.watches.has(above) ? { folder: above, name } : undefined);
  }

  private onError(watch: Watch): void {
    if (this.watches.get(watch.folder) === watch) this.stop(watch.folder);
    this.options.onChange();
  }

  private start(folder: string, names: ReadonlySet<string> | undefined): boolean {
    if (this.closed || this.isAtLimit) return false;
    const { watching } = this.on;
    if (!watching.isReported(folder)) {
      if (!this.isUnreportedReported) this.options.onUnreported?.(folder);
      this.isUnreportedReported = true;
      this.unreported.add(folder);
      return false;
    }
    try {
      // What is awaited in a folder may lie beside all that a user has.
      const isTree = watching.isRecursive && names === undefined;
      const watch: Watch = Object.assign(watching.watch(folder, isTree), { folder, isTree });
      watch.on("change", this.listeners.change).on("error", this.listeners.error);
      this.watches.set(folder, watch);
      if (names !== undefined) this.namesIn.set(folder, names);
      return true;
    } catch (error) {
      // Anything but the limit means that the folder is gone or unreadable: the next scan reports it.
      const code = errorCode(error);
      if (code === "ENOSPC" || code === "EMFILE") this.reachLimit(code);
      return false;
    }
  }

  private reachLimit(code: string): void {
    this.isAtLimit = true;
    if (!this.isLimitReported) this.options.onLimit(code);
    this.isLimitReported = true;
  }

  private stop(folder: string): void {
    this.watches.get(folder)?.close();
    this.watches.delete(folder);
    this.namesIn.delete(folder);
  }

  /** Whether a watch above the folder reports what changes in it. */
  private isCovered(folder: string): boolean {
    if (!this.on.watching.isRecursive) return false;
    for (let at = path.dirname(folder); ; at = path.dirname(at)) {
      if (this.watches.get(at)?.isTree === true) return true;
      if (path.dirname(at) === at) return false;
    }
  }

  /** The system may spell a folder in another way than the scan found it. */
  private keyOf(folder: string): string {
    return this.on.files.foldCase ? folder.normalize("NFC").toLowerCase() : folder;
  }

  private dropStale(): void {
    if (this.stale.size === 0) return;
    for (const folder of this.watches.keys()) if (isBelowAny(folder, this.stale)) this.stop(folder);
    this.stale.clear();
  }
}

/** Node calls listeners with the watch as `this`. */
function listenersOf(
  onEvent: (watch: Watch, kind: string, name: string | null) => void,
  onError: (watch: Watch) => void,
) {
  return {
    change(this: Watch, kind: string, name: string | null) {
      onEvent(this, kind, name);
    },
    error(this: Watch) {
      onError(this);
    },
  };
}

/** The nearest existing folder above each awaited path, with the next name on the way to it. */
function placesToAwait(
  awaited: readonly string[],
  watchedWhole: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  // Hundreds of folders may be awaited in one.
  const known = new Map<string, boolean>();
  const exists = (folder: string): boolean => {
    const found = known.get(folder) ?? fs.existsSync(folder);
    known.set(folder, found);
    return found;
  };
  for (const target of awaited) {
    let name = path.basename(target);
    let folder = path.dirname(target);
    while (!exists(folder) && path.dirname(folder) !== folder) {
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
