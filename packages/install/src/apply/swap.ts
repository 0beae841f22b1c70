import { lstatSync, mkdirSync } from "node:fs";
import path from "node:path";
import { platform } from "#util";
import type { Journal, JournalChange, JournalPlace } from "./journal.ts";
import { inTrash, recordOf } from "./trash.ts";

/** Whether something is there: a folder, a file, or a link to anything or nothing. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Moves the old one aside, then the new one in its place: two renames, and nothing half in between. */
export function swap({ target, staged, old }: JournalPlace, check: () => void): void {
  if (isThere(target)) {
    mkdirSync(path.dirname(old), { recursive: true });
    platform.files.rename(target, freeName(old));
  }
  // Nobody edits it by its name any more, so what is checked is what is kept.
  check();
  if (staged === undefined) return;
  mkdirSync(path.dirname(target), { recursive: true });
  platform.files.rename(staged, target);
}

/** An interrupted change has moved something aside already if another program made the target anew since; both are kept. */
function freeName(old: string): string {
  let name = old;
  for (let number = 2; isThere(name); number++) name = `${old}-${number}`;
  return name;
}

/** Puts everything back as it was before the change. Does nothing where nothing was done. */
export function rollBack({ places }: JournalChange): void {
  for (const { target, staged, old } of [...places].reverse()) {
    const wasPlaced = staged !== undefined && !isThere(staged) && isThere(target);
    if (wasPlaced) platform.files.rename(target, staged);
    if (isThere(old) && !isThere(target)) platform.files.rename(old, target);
  }
}

/** Finishes a change whose first place was swapped. */
function rollForward({ places }: JournalChange): void {
  for (const place of places) {
    const isWaiting = place.staged === undefined ? !isThere(place.old) : isThere(place.staged);
    if (isWaiting) swap(place, () => {});
  }
}

/** Whether the change was made, by what is on the disk. */
export function wasMade(journal: Journal, index: number): boolean {
  const change = journal.changes[index];
  if (change === undefined) return false;
  const [{ staged, old }] = change.places;
  return staged === undefined ? isThere(old) || isThere(inTrash(journal, index, 0)) : !isThere(staged);
}

/** After an interruption: each change is undone if its skill was not replaced yet, and finished if it was. */
export function completeChanges(journal: Journal): void {
  // The trash has it all, so that everything before it is done.
  if (isThere(recordOf(journal))) return;
  for (const [index, change] of journal.changes.entries()) {
    if (!wasMade(journal, index)) rollBack(change);
    else if (!isThere(inTrash(journal, index, 0))) rollForward(change);
  }
}
