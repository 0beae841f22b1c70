import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { errorCode, platform, writeFileAtomic } from "#util";
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
const ASIDE = "aside";
/** What was replaced is kept until skills were changed on so many later days. */
const KEPT_DAYS = 90;

/**
 * The name of a new command: a number, the time, and what makes it unique. The number orders the commands of the trash,
 * because a clock may be set back.
 */
export async function newCommand(trash: string, now: Date): Promise<string> {
  const last = (await commandsIn(trash)).at(-1) ?? "";
  const time = now.toISOString().replaceAll(/[:.]/g, "-");
  return `${String(partsOf(last).number + 1).padStart(6, "0")}_${time}-${randomBytes(4).toString("hex")}`;
}

/** When a command ran, for people: `2026-11-03 14:05 UTC`. */
export function timeOf(command: string): string {
  const { day, hour, minute } = partsOf(command);
  return `${day} ${hour}:${minute} UTC`;
}

/** Commands of versions that wrote no number come first, in the order of their times. */
function partsOf(command: string) {
  const [, number = "0", day = "", hour = "", minute = ""] =
    /^(?:(\d+)_)?([+-]?\d+-\d\d-\d\d)T(\d\d)-(\d\d)-/.exec(command) ?? [];
  return { number: Number(number), day, hour, minute };
}

/** The commands of the trash, in the order in which they ran. */
async function commandsIn(trash: string): Promise<readonly string[]> {
  const names = await readdir(trash).catch(() => []);
  return names.sort((a, b) => partsOf(a).number - partsOf(b).number || (a < b ? -1 : 1));
}

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

/** Something that was moved aside for a change, could not be put back, and is in the trash now. */
export interface KeptAside {
  readonly target: string;
  readonly kept: string;
}

/**
 * Moves whatever else was moved aside to the trash: another program made a target anew, so that the old one could not be put
 * back. Can be repeated after an interruption.
 */
export async function keepAside({
  trash,
  command,
  staging,
  changes,
}: Journal): Promise<readonly KeptAside[]> {
  const places = changes.flatMap((change) => change.places);
  const found: KeptAside[] = [];
  for (const folder of new Set(staging.map((one) => path.join(one, "old")))) {
    for (const name of await readdir(folder).catch(() => [])) {
      const from = path.join(folder, name);
      const kept = path.join(trash, command, ASIDE, name);
      await move(from, kept);
      const place = places.find(({ old }) => from === old || from.startsWith(`${old}-`));
      found.push({ target: place?.target ?? from, kept });
    }
  }
  return found;
}

/** By rename, or by a copy that appears whole where the trash is on another file system. `from` is in a staging folder. */
async function move(from: string, to: string): Promise<void> {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  const part = `${to}.part`;
  // A copy has its name when it is complete, so a command was interrupted after it.
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) {
    try {
      platform.files.rename(from, to);
      return;
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error;
    }
    await rm(part, { recursive: true, force: true });
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(from, part, { ...options, filter: canBeCopied });
    platform.files.rename(part, to);
  }
  // By a rename, because a folder that is half removed must not be put back. It is removed with its staging folder.
  const copied = path.join(path.dirname(path.dirname(from)), "copied");
  mkdirSync(copied, { recursive: true });
  platform.files.rename(from, path.join(copied, path.basename(from)));
}

/** Sockets, pipes and devices have no content. */
async function canBeCopied(file: string): Promise<boolean> {
  const stats = await lstat(file);
  return stats.isDirectory() || stats.isFile() || stats.isSymbolicLink();
}

/** The changes of the last command that was not undone yet, and that `isMeant`. */
export async function lastChanges(
  trash: string,
  isMeant: (record: TrashRecord) => boolean,
): Promise<readonly TrashRecord[]> {
  for (const command of [...(await commandsIn(trash))].reverse()) {
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

/**
 * Removes what was replaced before skills were changed on 90 later days. Days are counted and not computed, so that a clock
 * that jumps ahead once adds one day.
 */
export async function emptyOldTrash(trash: string): Promise<void> {
  const laterDays = new Set<string>();
  for (const command of [...(await commandsIn(trash))].reverse()) {
    if (laterDays.size >= KEPT_DAYS) await rm(path.join(trash, command), { recursive: true, force: true });
    laterDays.add(partsOf(command).day);
  }
}

async function readRecords(file: string): Promise<readonly TrashRecord[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TrashRecord[];
  } catch {
    return [];
  }
}
