import { statfs } from "node:fs/promises";
import { SyncFailure } from "../sync-failure.ts";
import type { TreeEntry } from "./tree-plan.ts";

/** Files take whole blocks, and the record and folders some more. */
const BLOCK = 4096;

/** Fails before anything is written when there is no room for all of it: git does not say why it could not write a file. */
export async function requireRoom(folder: string, entries: readonly TreeEntry[]): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = entries.reduce((sum, { size = 0 }) => sum + Math.ceil((size + 1) / BLOCK) * BLOCK, BLOCK);
  if (bavail * bsize >= needed) return;
  const [need, have] = [needed, bavail * bsize].map((bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`);
  throw new SyncFailure(
    "disk-full",
    `The new version needs ${need} and the disk of ${folder} has ${have} left; free some space.`,
  );
}
