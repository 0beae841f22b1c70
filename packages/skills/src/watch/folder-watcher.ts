import fs from "node:fs";
import path from "node:path";
import { createTimeSlices, errorCode } from "#util";
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
}

/** A watch knows its folder, so that all of them share their listeners: there may be more than ten thousand. */
interface Watch extends fs.FSWatcher {
  readonly folder: string;
}

/** A watch alone does not keep the process alive. */
const NOT_PERSISTENT = { persistent: false } as const;

/**
 * Watches exactly the folders that a scan lists, one plain watch each. Recursive watching on Node 20 goes silent after an
 * editor's atomic save; a plain watch of the folder sees every one.
 */
export class FolderWatcher {
  private readonly options: FolderWatcherOptions;
  private readonly watches = new Map<string, Watch>();
  /** The names that matter in some folders; in the others every name does. */
  private readonly namesIn = new Map<string, ReadonlySet<string>>();
  /** Folders that were moved or deleted: a watch follows the old folder, not the path. */
  private readonly stale = new Set<string>();
  private isAtLimit = false;
  private isLimitReported = false;
  private closed = false;

  private readonly listeners: ReturnType<typeof listenersOf>;

  constructor(options: FolderWatcherOptions) {
    this.options = options;
    this.listeners = listenersOf(
      (folder, kind, name) => this.onEvent(folder, kind, name),
      (watch) => this.onError(watch),
    );
  }

  /** Watches a folder from now on. Called before the folder is listed, so that no change falls in between. */
  ensure(folder: string): void {
    this.dropStale();
    if (this.watches.has(folder)) this.namesIn.delete(folder);
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

  /** Whether every folder is watched that should be. */
  isHealthy(): boolean {
    return !this.isAtLimit;
  }

  close(): void {
    this.closed = true;
    for (const handle of this.watches.values()) handle.close();
    this.watches.clear();
  }

  private onEvent(folder: string, kind: string, name: string | null): void {
    if (this.closed || !this.watches.has(folder)) return;
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
    try {
      const watch: Watch = Object.assign(fs.watch(folder, NOT_PERSISTENT), { folder });
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

  private dropStale(): void {
    if (this.stale.size === 0) return;
    for (const folder of this.watches.keys()) if (isBelowAny(folder, this.stale)) this.stop(folder);
    this.stale.clear();
  }
}

/** Node calls listeners with the watch as `this`. */
function listenersOf(
  onEvent: (folder: string, kind: string, name: string | null) => void,
  onError: (watch: Watch) => void,
) {
  return {
    change(this: Watch, kind: string, name: string | null) {
      onEvent(this.folder, kind, name);
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
