import { lstat, mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../system/files/file-system.ts";
import type { Journal, JournalChange, JournalPlace } from "./journal.ts";
import { recordOf } from "./trash.ts";

/** Whether something is there: a folder, a file, or a link to anything or nothing. */
export async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    throw error;
  }
}

/** Moves the old one aside, then the new one in its place: two renames, and nothing half in between. */
export async function swap({ target, staged, old }: JournalPlace, check: () => Promise<void>): Promise<void> {
  if (await isThere(target)) {
    await mkdir(path.dirname(old), { recursive: true });
    await rename(target, old);
  }
  // Nobody edits it by its name any more, so what is checked is what is kept.
  await check();
  if (staged === undefined) return;
  await mkdir(path.dirname(target), { recursive: true });
  await rename(staged, target);
}

/** Puts everything back as it was before the change. Does nothing where nothing was done. */
export async function rollBack({ places }: JournalChange): Promise<void> {
  for (const { target, staged, old } of [...places].reverse()) {
    const wasPlaced = staged !== undefined && !(await isThere(staged)) && (await isThere(target));
    if (wasPlaced) await rename(target, staged);
    if ((await isThere(old)) && !(await isThere(target))) await rename(old, target);
  }
}

/** Finishes a change whose first place was swapped. */
async function rollForward({ places }: JournalChange): Promise<void> {
  for (const place of places) {
    const isWaiting = place.staged === undefined ? !(await isThere(place.old)) : await isThere(place.staged);
    if (isWaiting) await swap(place, async () => {});
  }
}

/** Whether the change was made, by what is on the disk. */
export async function wasMade(journal: Journal, index: number): Promise<boolean> {
  const change = journal.changes[index];
  if (change === undefined) return false;
  const [{ staged, old }] = change.places;
  if (staged !== undefined) return !(await isThere(staged));
  return (await isThere(old)) || (await isThere(recordOf(journal, index)));
}

/** After an interruption: each change is undone if its skill was not replaced yet, and finished if it was. */
export async function completeChanges(journal: Journal): Promise<void> {
  for (const [index, change] of journal.changes.entries()) {
    if (await isThere(recordOf(journal, index))) continue;
    await ((await wasMade(journal, index)) ? rollForward(change) : rollBack(change));
  }
}
