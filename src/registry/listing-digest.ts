import type { Dirent } from "node:fs";

/**
 * A number that changes when a file or folder comes or goes, whatever the order in which the disk names them. The
 * numbers of several folders can be added up. Hidden ones do not count: no client sees them.
 */
export function listingDigest(realDir: string, entries: readonly Dirent[]): number {
  const start = hash(realDir, FNV_START);
  let sum = 0;
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    sum = (sum + hash(entry.name, entry.isDirectory() ? ~start : start)) | 0;
  }
  return sum;
}

/** FNV-1a: there may be a million names, so nothing that costs. */
function hash(text: string, start: number): number {
  let value = start;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
  return value;
}

const FNV_START = 0x811c_9dc5 | 0;
const FNV_PRIME = 0x0100_0193;
