import type { Stats } from "node:fs";

/** What tells one state of a file or folder from another. */
export interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly modified: number;
  readonly changed: number;
}

/** The coarsest clock of a common file system is FAT's: two seconds. */
const CLOCK_GRAIN_MS = 2_500;

export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Identity {
  return { device: dev, inode: ino, size, modified: mtimeMs, changed: ctimeMs };
}

export function hasIdentity(stats: Stats, was: Identity): boolean {
  return (
    stats.ctimeMs === was.changed &&
    stats.mtimeMs === was.modified &&
    stats.size === was.size &&
    stats.ino === was.inode &&
    stats.dev === was.device
  );
}

/** Changed so shortly before it was looked at that a second change may carry the same time stamp. */
export function mayChangeUnseen({ ctimeMs, mtimeMs }: Stats, lookedAt: number): boolean {
  return Math.max(ctimeMs, mtimeMs) > lookedAt - CLOCK_GRAIN_MS;
}
