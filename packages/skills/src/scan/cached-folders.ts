import path from "node:path";
import type { Fingerprint } from "#util";
import type { Listing } from "./listing.ts";

/** Folders in which the watcher saw a change, with the names that changed; undefined when they are not known. */
export type DirtyFolders = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** A folder's entries, and what the folder was like when it was listed. */
export interface CachedFolder {
  /** As seen below the root. */
  readonly dir: string;
  readonly listing: Listing;
  /** Undefined when the folder has to be listed again. */
  readonly fingerprint: Fingerprint | undefined;
}

/** By their real paths. */
export type CachedFolders = ReadonlyMap<string, CachedFolder>;

/** The folders that are as they were. A name that changed may be another folder by now, so all below it counts as dirty. */
export function clean(folders: CachedFolders, dirty: DirtyFolders): CachedFolders {
  const stale = new Set<string>();
  const mark = (folder: string, names: ReadonlySet<string> | undefined): void => {
    stale.add(folder);
    for (const name of folders.get(folder)?.listing.folders ?? []) {
      if (names === undefined || names.has(name)) mark(below(folder, name), undefined);
    }
  };
  for (const [folder, names] of dirty) mark(folder, names);
  const rest = new Map(folders);
  for (const folder of stale) rest.delete(folder);
  return rest;
}

/** `path.join` for a name that the disk gave us, which needs no normalizing, at a fraction of its cost. */
export function below(dir: string, name: string): string {
  return dir.endsWith(path.sep) ? dir + name : dir + path.sep + name;
}
