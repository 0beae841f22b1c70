import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { type Platform, platform } from "#util";

/** A file or folder that stays the same one, even if another is put in its place later. */
export interface HeldPath {
  /** Where it really lies. */
  readonly path: string;
  readonly kind: "folder" | "link" | "other";
  /** Open, for those that use it by descriptor; undefined where the system cannot tell where an open file lies. */
  readonly descriptor: number | undefined;
  close(): void;
}

/** Linux: a place in the file system, which need not be readable. Node has no name for it. */
const O_PATH = 0o10000000;

/** Holds what a path leads to now; a link at its end is not followed. Throws the system's error if there is nothing. */
export function holdPath(place: string, on: Platform = platform): HeldPath {
  const { linkOfOpen } = on.files;
  if (linkOfOpen(0) === undefined) {
    const stats = lstatSync(place);
    const path = stats.isSymbolicLink() ? place : realpathSync.native(place);
    return { path, kind: kindOf(stats), descriptor: undefined, close() {} };
  }
  const descriptor = openSync(place, O_PATH | (constants.O_NOFOLLOW ?? 0));
  try {
    const path = readlinkSync(linkOfOpen(descriptor) ?? "");
    return { path, kind: kindOf(fstatSync(descriptor)), descriptor, close: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function kindOf(stats: { isDirectory(): boolean; isSymbolicLink(): boolean }): HeldPath["kind"] {
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}
