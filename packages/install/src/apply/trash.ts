import { lstatSync, mkdirSync, renameSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode, writeFileAtomic } from "#util";
import type { LockPlace } from "../lock/lock-file.ts";
import type { RawEntry } from "../lock/lock-text.ts";
import type { ChangeKind, Journal, JournalChange } from "./journal.ts";

/** A change as the trash knows it: enough to take it back. */
export interface TrashRecord {
  readonly command: string;
  readonly isUndo: boolean;
  readonly base: string;
  readonly lock: LockPlace;
  readonly name: string;
  readonly kind: ChangeKind;
  readonly before: RawEntry | null;
  readonly after: RawEntry | null;
  /** What was replaced, the skill's own folder first. */
  readonly places: readonly {
    readonly target: string;
    /** Where the old one is now; absent when there was none. */
    readonly old?: string;
  }[];
}

const RECORDS = "changes.json";
const UNDONE = "undone";
const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Where the old one of a place goes. */
export function inTrash(
  { trash, command }: Pick<Journal, "trash" | "command">,
  index: number,
  place: number,
): string {
  return path.join(trash, command, String(index), String(place));
}

/** Written last, so that it is there only when everything before it is done. */
export function recordOf({ trash, command }: Pick<Journal, "trash" | "command">): string {
  return path.join(trash, command, RECORDS);
}

/** Moves what the changes replaced to the trash. Can be repeated after an interruption. */
export async function moveToTrash(
  journal: Journal,
  made: readonly (readonly [index: number, change: JournalChange])[],
): Promise<void> {
  const { command, isUndo, base, lock, trash } = journal;
  await mkdir(path.join(trash, command), { recursive: true, mode: 0o700 });
  const records: TrashRecord[] = [];
  for (const [index, { name, kind, before, after, places }] of made) {
    const moved: { target: string; old?: string }[] = [];
    for (const [number, { target, old }] of places.entries()) {
      const kept = inTrash(journal, index, number);
      if (lstatSync(old, { throwIfNoEntry: false }) !== undefined) await move(old, kept);
      const isKept = lstatSync(kept, { throwIfNoEntry: false }) !== undefined;
      moved.push({ target, ...(isKept ? { old: kept } : {}) });
    }
    records.push({ command, isUndo, base, lock, name, kind, before, after, places: moved });
  }
  await writeFileAtomic(recordOf(journal), JSON.stringify(records, null, 2));
}

/** By rename, or by a copy that appears whole where the trash is on another file system. */
async function move(from: string, to: string): Promise<void> {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const part = `${to}.part`;
    await rm(part, { recursive: true, force: true });
    await cp(from, part, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    renameSync(part, to);
    await rm(from, { recursive: true, force: true });
  }
}

/** The changes of the last command that was not undone yet, and that `isMeant`. */
export async function lastChanges(
  trash: string,
  isMeant: (record: TrashRecord) => boolean,
): Promise<readonly TrashRecord[]> {
  const commands = (await readdir(trash).catch(() => [])).sort((a, b) => (a < b ? 1 : -1));
  for (const command of commands) {
    if (lstatSync(path.join(trash, command, UNDONE), { throwIfNoEntry: false }) !== undefined) continue;
    const records = await readRecords(recordOf({ trash, command }));
    const meant = records.filter((record) => !record.isUndo && isMeant(record));
    if (meant.length > 0) return meant;
  }
  return [];
}

export function markUndone(trash: string, command: string): Promise<void> {
  return writeFileAtomic(path.join(trash, command, UNDONE), "");
}

/** Removes what was put into the trash three months ago and more. */
export async function emptyOldTrash(trash: string, now: number): Promise<void> {
  for (const command of await readdir(trash).catch(() => [])) {
    const folder = path.join(trash, command);
    const age = await stat(folder).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0,
    );
    if (age > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function readRecords(file: string): Promise<readonly TrashRecord[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TrashRecord[];
  } catch {
    return [];
  }
}
