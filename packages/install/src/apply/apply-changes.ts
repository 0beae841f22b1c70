import { cp, lstat, mkdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { digestOfAll, digestsOf, type FileDigests, readInstalledContent, type SkillContent } from "#skills";
import { describeError, errorCode, isInside, ownFolderIn, platform } from "#util";
import { holdsOnly, writeContent } from "../content/write-content.ts";
import { changeLock, type LockPlace } from "../lock/lock-file.ts";
import { cannotInstall, type RawEntry } from "../lock/lock-text.ts";
import {
  type ChangeKind,
  type Journal,
  type JournalChange,
  type JournalPlace,
  readJournal,
  removeJournal,
  writeJournal,
} from "./journal.ts";
import { completeChanges, isThere, rollBack, swap, wasMade } from "./swap.ts";
import { type KeptAside, keepAside, moveToTrash } from "./trash.ts";

/** What a place is to hold. */
type NewContent =
  | {
      readonly kind: "files";
      readonly content: SkillContent;
      /** A folder that was fetched with this content. It is moved instead of written, if it holds nothing else. */
      readonly fetchedTo?: string;
      /** Folders of what is there now, relative, that are copied into it. */
      readonly keep?: readonly string[];
    }
  /** A link to a folder, absolute. */
  | { readonly kind: "link"; readonly to: string }
  /** A copy of a folder or link of the trash. */
  | { readonly kind: "copy"; readonly of: string }
  | { readonly kind: "nothing" };

export interface FolderPlace {
  readonly target: string;
  readonly becomes: NewContent;
  /** The files that the plan saw there; the change is refused if they are others now. Absent: whatever is there. */
  readonly expected?: FileDigests | "nothing";
}

/** One skill to change. */
export interface FolderChange {
  readonly name: string;
  readonly kind: ChangeKind;
  readonly before: RawEntry | null;
  readonly after: RawEntry | null;
  readonly places: readonly [FolderPlace, ...FolderPlace[]];
}

export interface ApplyOptions {
  /** The folder of the journal, below the user's own: a file of a project must not decide what is moved where. */
  readonly journalFolder: string;
  readonly command: string;
  readonly isUndo?: boolean;
  /** The folder for what is fetched: `commandFolder` of the target. */
  readonly fetchFolder: string;
  readonly base: string;
  readonly lock: LockPlace;
  readonly trash: string;
}

/**
 * Up to so many files reach the disk before they are put in place. Of more the lock has the digests, so that `verify` shows
 * what a power cut took; waiting for each of thousands would take minutes.
 */
const MOST_FLUSHED = 300;

/** A change that was not made; everything of it is as it was. */
export interface FailedChange {
  readonly name: string;
  readonly reason: string;
}

/** The files of a command on their way into a folder of skills: beside it, so that no scan sees them, and a rename suffices. */
export function commandFolder(skillsDir: string, command: string): string {
  return path.join(ownFolderIn(path.dirname(skillsDir)), command);
}

/** Before anything is fetched or written, so that the next command can clean up after this one. */
export async function beginCommand(options: ApplyOptions): Promise<void> {
  await writeJournal(options.journalFolder, journalOf(options, []));
  await makeStaging(options.fetchFolder);
}

/** The end of a command that changes nothing. */
export async function discardCommand({ journalFolder, fetchFolder }: ApplyOptions): Promise<void> {
  await removeStaging([fetchFolder]);
  await removeJournal(journalFolder);
  // Made for the staging folder, if there is nothing else in it.
  await rmdir(path.dirname(path.dirname(fetchFolder))).catch(() => {});
}

/** Makes all changes, each whole or not at all. Returns those that could not be made. */
export async function applyChanges(
  changes: readonly FolderChange[],
  options: ApplyOptions,
): Promise<readonly FailedChange[]> {
  const { journalFolder, command } = options;
  const planned = changes.map((change, number) => planChange(change, command, number));
  const journal = journalOf(options, planned);
  try {
    // Without changes it only says where to clean up.
    await writeJournal(journalFolder, { ...journal, changes: [] });
    for (const folder of journal.staging) await makeStaging(folder);
    const flush = countFiles(changes) <= MOST_FLUSHED;
    for (const [number, change] of changes.entries())
      await stage(change, planned[number], { fetchFolder: options.fetchFolder, flush });
    await writeJournal(journalFolder, journal);
  } catch (error) {
    await removeStaging(journal.staging);
    await removeJournal(journalFolder);
    throw error;
  }
  const failed: FailedChange[] = [];
  for (const [number, change] of planned.entries()) {
    try {
      make(change, changes[number]);
    } catch (error) {
      rollBack(change);
      failed.push({ name: change.name, reason: describeError(error) });
    }
  }
  const aside = await settle(journal, journalFolder);
  return failed.map(({ name, reason }) => {
    const targets = changes.find((change) => change.name === name)?.places.map(({ target }) => target) ?? [];
    const kept = aside.filter(({ target }) => targets.includes(target)).map(shownAside);
    return { name, reason: [reason, ...kept].join("; ") };
  });
}

/** Tells where the files of a folder are that another program made anew. */
export function shownAside({ target, kept }: KeptAside): string {
  return `${target} was made anew by another program while it was being changed; what was there before is in ${kept}`;
}

/** What was done about an interrupted command. */
export interface Repair {
  /** Whether it had changes to make, which are now completed or taken back. */
  readonly repaired: boolean;
  readonly aside: readonly KeptAside[];
}

/** Finishes or takes back what an interrupted command began. */
export async function repair(journalFolder: string): Promise<Repair> {
  const journal = await readJournal(journalFolder);
  if (journal === undefined) return { repaired: false, aside: [] };
  completeChanges(journal);
  const aside = await settle(journal, journalFolder);
  return { repaired: journal.changes.length > 0, aside };
}

function countFiles(changes: readonly FolderChange[]): number {
  const contents = changes.flatMap(({ places }) => places.map(({ becomes }) => becomes));
  return contents.reduce((sum, becomes) => sum + (becomes.kind === "files" ? becomes.content.size : 0), 0);
}

function journalOf(options: ApplyOptions, changes: readonly JournalChange[]): Journal {
  const { command, isUndo = false, base, lock, trash, fetchFolder } = options;
  // `<staging>/<command>` of `<staging>/<command>/old/0-0`.
  const folders = changes.flatMap(({ places }) => places.map(({ old }) => path.dirname(path.dirname(old))));
  const staging = [...new Set([fetchFolder, ...folders])];
  return { version: 1, command, isUndo, base, lock, trash, staging, changes };
}

function planChange(
  { name, kind, before, after, places }: FolderChange,
  command: string,
  number: number,
): JournalChange {
  const planned = places.map(({ target, becomes }, index): JournalPlace => {
    const folder = commandFolder(path.dirname(target), command);
    const own = `${number}-${index}`;
    const staged = becomes.kind === "nothing" ? {} : { staged: path.join(folder, "new", own) };
    return { target, ...staged, old: path.join(folder, "old", own) };
  });
  return { name, kind, before, after, places: planned as [JournalPlace, ...JournalPlace[]] };
}

/** A link in its place could lead anywhere, and what is there would be taken for ours. */
async function makeStaging(folder: string): Promise<void> {
  const staging = path.dirname(folder);
  await mkdir(staging, { recursive: true });
  if (!(await lstat(staging)).isDirectory())
    throw cannotInstall(`${staging} is not a folder. Remove it and try again.`, staging);
  await mkdir(folder, { recursive: true });
}

interface StageOptions {
  readonly fetchFolder: string;
  readonly flush: boolean;
}

async function stage(
  { places }: FolderChange,
  planned: JournalChange | undefined,
  options: StageOptions,
): Promise<void> {
  for (const [index, { target, becomes }] of places.entries()) {
    const staged = planned?.places[index]?.staged;
    if (staged === undefined || becomes.kind === "nothing") continue;
    await mkdir(path.dirname(staged), { recursive: true });
    if (becomes.kind === "files") {
      stageFiles(staged, becomes, options);
      for (const name of becomes.keep ?? [])
        await cp(path.join(target, name), path.join(staged, name), {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        });
    } else if (becomes.kind === "link") await makeLink(staged, becomes.to, target);
    else await cp(becomes.of, staged, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** What a disk without links answers, such as FAT, or a share on Windows. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["ENOTSUP", "EPERM", "EINVAL", "ENOSYS"]);

async function makeLink(staged: string, to: string, target: string): Promise<void> {
  await platform.files.linkFolder(staged, to, target).catch((error: unknown) => {
    if (!NO_LINKS.has(errorCode(error))) throw error;
    const words = `${target} cannot be a link: its disk takes none (${errorCode(error)}); add it with --copy.`;
    throw cannotInstall(words, target, error);
  });
}

function stageFiles(
  staged: string,
  { content, fetchedTo }: Extract<NewContent, { kind: "files" }>,
  { fetchFolder, flush }: StageOptions,
): void {
  // Only what this command fetched may be moved: anything else belongs to the user.
  const isOurs = fetchedTo !== undefined && isInside(fetchFolder, fetchedTo);
  if (isOurs && !flush && holdsOnly(fetchedTo, content)) platform.files.rename(fetchedTo, staged);
  else writeContent(staged, content, flush);
}

function make(change: JournalChange, wanted: FolderChange | undefined): void {
  for (const [index, place] of change.places.entries()) {
    const expected = wanted?.places[index]?.expected;
    swap(place, () => {
      if (expected === undefined || isAsExpected(place.old, expected)) return;
      throw new Error(`${place.target} was changed by another program meanwhile; run the command again`);
    });
  }
}

function isAsExpected(old: string, expected: FileDigests | "nothing"): boolean {
  if (expected === "nothing") return !isThere(old);
  const found = readInstalledContent(old);
  return found !== undefined && digestOfAll(digestsOf(found)) === digestOfAll(expected);
}

/** The lock says what was made, the trash has what was replaced, and nothing else is left. Can be repeated. */
async function settle(journal: Journal, journalFolder: string): Promise<readonly KeptAside[]> {
  const made = [...journal.changes.entries()].filter(([index]) => wasMade(journal, index));
  await changeLock(journal.lock, new Map(made.map(([, { name, after }]) => [name, after])));
  if (made.length > 0) await moveToTrash(journal, made);
  const aside = await keepAside(journal);
  // From here on a change whose staged files are gone would look as if it had been made.
  await writeJournal(journalFolder, { ...journal, changes: [] });
  await removeStaging(journal.staging);
  await removeJournal(journalFolder);
  return aside;
}

async function removeStaging(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await rm(folder, { recursive: true, force: true });
    await rmdir(path.dirname(folder)).catch(() => {});
  }
}
