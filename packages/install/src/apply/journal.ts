import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { errorCode, writeFileAtomic } from "#util";
import type { LockPlace } from "../lock/lock-file.ts";
import type { RawEntry } from "../lock/lock-text.ts";

/** A folder or link that a change replaces. All paths are absolute. */
export interface JournalPlace {
  readonly target: string;
  /** The new one, complete, on the same file system; absent when the target is only removed. */
  readonly staged?: string;
  /** Where the old one is moved to first. */
  readonly old: string;
}

export type ChangeKind = "add" | "update" | "remove";

/** One skill. The first place decides whether the change was made; the others follow it. */
export interface JournalChange {
  readonly name: string;
  readonly kind: ChangeKind;
  readonly before: RawEntry | null;
  readonly after: RawEntry | null;
  readonly places: readonly [JournalPlace, ...JournalPlace[]];
}

/** What a command is about to do. It is on the disk before the first target is touched. */
export interface Journal {
  readonly version: 1;
  /** Names the command, as `newCommand` does. */
  readonly command: string;
  readonly isUndo: boolean;
  /** The project or the home folder. */
  readonly base: string;
  readonly lock: LockPlace;
  /** Where what is removed goes. */
  readonly trash: string;
  /** Folders of this command, to be removed at the end. */
  readonly staging: readonly string[];
  readonly changes: readonly JournalChange[];
}

const FILE = "journal.json";

export async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(path.join(folder, FILE), JSON.stringify(journal), { flush: true });
}

/** The journal of a command that was interrupted. One that is damaged was never complete, so nothing had begun. */
export async function readJournal(folder: string): Promise<Journal | undefined> {
  try {
    const journal = JSON.parse(await readFile(path.join(folder, FILE), "utf8")) as Journal;
    return journal.version === 1 ? journal : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function removeJournal(folder: string): Promise<void> {
  return rm(path.join(folder, FILE), { force: true });
}
