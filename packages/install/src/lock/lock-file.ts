import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode, writeFileAtomic } from "#util";
import {
  emptyLock,
  type Lock,
  type LockedSkill,
  type LockFormat,
  lockedSkills,
  parseLock,
  printLock,
  type RawEntry,
  withEntries,
} from "./lock-text.ts";

/** Where a lock is, and which of the two formats it has. */
export interface LockPlace {
  readonly file: string;
  readonly format: LockFormat;
}

async function readLock({ file, format }: LockPlace): Promise<Lock> {
  try {
    return parseLock(await readFile(file, "utf8"), format, file);
  } catch (error) {
    // The sandbox of scripts puts an empty folder where there is no lock, so that a script cannot write one.
    if (["ENOENT", "EISDIR"].includes(errorCode(error))) return emptyLock(format);
    throw error;
  }
}

export async function readLocked(place: LockPlace): Promise<readonly LockedSkill[]> {
  return lockedSkills(await readLock(place));
}

/** Sets or removes entries. Reads the file anew, because another tool may have written it meanwhile. */
export async function changeLock(
  place: LockPlace,
  changes: ReadonlyMap<string, RawEntry | null>,
): Promise<void> {
  const before = await readLock(place);
  const after = withEntries(before, changes);
  if (printLock(after) === printLock(before)) return;
  await mkdir(path.dirname(place.file), { recursive: true });
  // The user's lock may be a link into a repository of settings, and stays one.
  const file = await realpath(place.file).catch(() => place.file);
  const mode = await stat(file).then(
    (stats) => stats.mode & 0o777,
    () => 0o644,
  );
  await writeFileAtomic(file, printLock(after), { mode, flush: true });
}
