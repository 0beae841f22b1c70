import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { writeFileAtomic } from "../../system/files/atomic-write.ts";
import { errorCode } from "../../system/files/file-system.ts";
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

const RECORD = "change.json";
const UNDONE = "undone";
const KEPT_MS = 90 * 24 * 60 * 60_000;

function folderOf({ trash, command }: Pick<Journal, "trash" | "command">, index: number): string {
  return path.join(trash, command, String(index));
}

/** Written last, so that it is there only when everything before it is done. */
export function recordOf(journal: Pick<Journal, "trash" | "command">, index: number): string {
  return path.join(folderOf(journal, index), RECORD);
}

/** Moves what a change replaced to the trash. Can be repeated after an interruption. */
export async function moveToTrash(journal: Journal, index: number, change: JournalChange): Promise<void> {
  const { command, isUndo, base, lock } = journal;
  const folder = folderOf(journal, index);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const places: { target: string; old?: string }[] = [];
  for (const [number, { target, old }] of change.places.entries()) {
    const inTrash = path.join(folder, String(number));
    await move(old, inTrash);
    const isKept = await lstat(inTrash).then(
      () => true,
      () => false,
    );
    places.push({ target, ...(isKept ? { old: inTrash } : {}) });
  }
  const { name, kind, before, after } = change;
  const record: TrashRecord = { command, isUndo, base, lock, name, kind, before, after, places };
  await writeFileAtomic(path.join(folder, RECORD), JSON.stringify(record, null, 2));
}

/** By rename, or by a copy that appears whole where the trash is on another file system. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    if (errorCode(error) !== "EXDEV") throw error;
    const part = `${to}.part`;
    await rm(part, { recursive: true, force: true });
    await cp(from, part, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rename(part, to);
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
    const folder = path.join(trash, command);
    const entries = (await readdir(folder).catch(() => [])).sort((a, b) => Number(a) - Number(b));
    if (entries.includes(UNDONE)) continue;
    const records: TrashRecord[] = [];
    for (const entry of entries) {
      const record = await readRecord(path.join(folder, entry, RECORD));
      if (record !== undefined && !record.isUndo && isMeant(record)) records.push(record);
    }
    if (records.length > 0) return records;
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

async function readRecord(file: string): Promise<TrashRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TrashRecord;
  } catch {
    return undefined;
  }
}
