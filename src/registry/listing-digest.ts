import type { Dirent } from "node:fs";

const FNV_START = 0x811c_9dc5 | 0;
const FNV_PRIME = 0x0100_0193;

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
  return hash(name, isFolder ? ~FNV_START : FNV_START);
}

/** The same for a folder at its place: the numbers of several folders can be added up. */
export function placedDigest(digest: number, realDir: string): number {
  return digest === 0 ? 0 : hash(realDir, digest);
}

/** FNV-1a: there may be a million names, so nothing that costs. */
function hash(text: string, start: number): number {
  let value = start;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
  return value;
}
