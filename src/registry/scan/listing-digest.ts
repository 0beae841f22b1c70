import type { Dirent } from "node:fs";
import { fnv1a } from "../../system/hash.ts";

/**
 * Added up over a folder's entries: a number that changes when a file or folder comes or goes, whatever the order in which
 * the disk names them. Hidden ones do not count: no client sees them.
 */
export function addedToDigest(digest: number, entry: Dirent): number {
  return entry.name.startsWith(".") ? digest : (digest + nameDigest(entry.name, entry.isDirectory())) | 0;
}

export function nameDigest(name: string, isFolder: boolean): number {
  const digest = fnv1a(name);
  return isFolder ? ~digest : digest;
}

/** The same for a folder at its place: the numbers of several folders can be added up. */
export function placedDigest(digest: number, realDir: string): number {
  return digest === 0 ? 0 : fnv1a(realDir, digest);
}
