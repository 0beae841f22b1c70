import type { Dirent } from "node:fs";
import { fnv1a } from "./fnv.ts";

/**
 * A number that changes when a file or folder comes or goes, whatever the order in which the disk names them. Hidden ones
 * do not count: no client sees them.
 */
export function namesDigest(entries: readonly Dirent[]): number {
  let sum = 0;
  for (const entry of entries) {
    if (!entry.name.startsWith(".")) sum = (sum + nameDigest(entry.name, entry.isDirectory())) | 0;
  }
  return sum;
}

export function nameDigest(name: string, isFolder: boolean): number {
  const digest = fnv1a(name);
  return isFolder ? ~digest : digest;
}

/** The same for a folder at its place: the numbers of several folders can be added up. */
export function placedDigest(digest: number, realDir: string): number {
  return digest === 0 ? 0 : fnv1a(realDir, digest);
}
