import type { Dirent } from "node:fs";
import path from "node:path";
import type { Fingerprint } from "#util";
import { fnv1a } from "#util/pure";
import { POLICY_FILE, POLICY_FOLDER } from "../skill/invocation.ts";

/** How skills lie in folders. */
export interface FolderLayout {
  isSkillFile(name: string): boolean;
  /** Set where the resources of a skill file lie in a folder beside it. */
  readonly companions?: {
    /** The folder of one file; it is not searched for skills. */
    of(fileName: string): string;
    /** Folders that are companions whether their file exists or not. */
    readonly always: readonly string[];
  };
  /** Set where folders whose name starts with a dot are not entered. */
  readonly skipsHiddenFolders?: true;
  /** Folders, as seen below the root, that are not entered. */
  readonly except?: ReadonlySet<string>;
  /** Set where an agent's settings of a skill lie in a folder beside the skill file. */
  readonly settings?: { readonly folder: string; readonly file: string };
}

/** How a file of settings lies in its folder. */
export type SettingsKind = "file" | "link";

interface ListedFile {
  readonly name: string;
  readonly isLink: boolean;
  /** What lies where its companion folder is expected. */
  readonly companion?: "folder" | "link";
}

/** What a scan needs to know of a folder's entries. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Folders to enter. */
  readonly folders: readonly string[];
  /** Links that may lead to folders. */
  readonly links: readonly string[];
  /** Entries to report, with what they are: named like a skill file but something else, or a companion folder without its file. */
  readonly odd: readonly (readonly [name: string, kind: string])[];
  /** Set when it holds a file named like one of settings. */
  readonly settings?: SettingsKind;
  /** How many files have a name without a leading dot; of links, only those named like skill files count. */
  readonly visible: number;
  /** How many entries there are in all. */
  readonly entries: number;
  /** Another value means that a visible entry came or went. */
  readonly digest: number;
  /** Why the folder could not be listed. */
  readonly failure?: unknown;
}

/** A companion folder whose file is missing. */
export const LONELY = "lonely";

/** Folders that hold other people's files by the ten thousand, and never a skill of the user's. */
const NOT_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

// Most folders are alike, and there are tens of thousands: they share these.
const NONE: never[] = [];
export const EMPTY_LISTING: Listing = {
  files: NONE,
  folders: NONE,
  links: NONE,
  odd: NONE,
  visible: 0,
  entries: 0,
  digest: 0,
};
export const ONLY_A_SKILL: Listing = {
  ...EMPTY_LISTING,
  files: [{ name: "SKILL.md", isLink: false }],
  visible: 1,
  entries: 1,
  digest: fnv1a("SKILL.md"),
};

type Companion = "folder" | "link" | typeof LONELY;

/** Sorts entries by what a scan does with them. */
export function listingOf(entries: readonly Dirent[], layout: FolderLayout): Listing {
  if (isOnlyASkill(entries, layout)) return ONLY_A_SKILL;
  const companions = layout.companions && companionsAmong(entries, layout, layout.companions);
  const files: ListedFile[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  const odd: (readonly [string, string])[] = [];
  let settings: SettingsKind | undefined;
  let visible = 0;
  let digest = 0;
  for (const entry of entries) {
    const { name } = entry;
    if (name === layout.settings?.file) settings = settingsKind(entry);
    digest = (digest + entryDigest(entry)) | 0;
    const isSkillFile = layout.isSkillFile(name);
    if (isSkillFile && (entry.isFile() || entry.isSymbolicLink())) {
      files.push(skillFile(entry, companions?.get(layout.companions?.of(name) ?? "")));
    } else if (isSkillFile && (companions === undefined || !entry.isDirectory())) {
      odd.push([name, kindOf(entry)]);
    }
    if ((entry.isFile() || (isSkillFile && entry.isSymbolicLink())) && !name.startsWith(".")) visible++;
    if (entry.isFile() || NOT_ENTERED.has(name)) continue;
    if (layout.skipsHiddenFolders === true && name.startsWith(".")) continue;
    const companion = companions?.get(name);
    if (companion === LONELY) odd.push([name, LONELY]);
    if (companion !== undefined) continue;
    if (entry.isDirectory()) folders.push(name);
    else if (!isSkillFile && entry.isSymbolicLink()) links.push(name);
  }
  return {
    files: orNone(files),
    folders: orNone(folders),
    links: orNone(links),
    odd: orNone(odd),
    visible,
    entries: entries.length,
    digest,
    ...(settings === undefined ? {} : { settings }),
  };
}

function settingsKind(entry: Dirent): SettingsKind | undefined {
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : undefined;
}

function skillFile(entry: Dirent, companion: Companion | undefined): ListedFile {
  const file = { name: entry.name, isLink: entry.isSymbolicLink() };
  return companion === undefined || companion === LONELY ? file : { ...file, companion };
}

function isOnlyASkill([first, second]: readonly Dirent[], layout: FolderLayout): boolean {
  return (
    second === undefined && first?.name === "SKILL.md" && first.isFile() && layout.companions === undefined
  );
}

function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

/** Added up over a folder, so that the order does not matter. Hidden entries do not count: no client sees them. */
function entryDigest(entry: Dirent): number {
  if (entry.name.startsWith(".")) return 0;
  const digest = fnv1a(entry.name);
  return entry.isDirectory() ? ~digest : digest;
}

/** The digest of a folder at its place: those of several folders can be added up. */
export function placedDigest(digest: number, realDir: string): number {
  return digest === 0 ? 0 : fnv1a(realDir, digest);
}

type Listings = ReadonlyMap<string, { readonly listing: Listing }>;

/** The folders to which a visible entry came, or from which one went. */
export function changedFolders(before: Listings, after: Listings): readonly string[] {
  const digestIn = (listings: Listings, dir: string): number => listings.get(dir)?.listing.digest ?? 0;
  const gone = [...before.keys()].filter((dir) => !after.has(dir));
  return [...after.keys()].filter((dir) => digestIn(before, dir) !== digestIn(after, dir)).concat(gone);
}

/** The folders among these entries that belong to a skill file beside them, or would if it existed. */
function companionsAmong(
  entries: readonly Dirent[],
  layout: FolderLayout,
  { of, always }: NonNullable<FolderLayout["companions"]>,
): ReadonlyMap<string, Companion> {
  const owned = new Set<string>();
  for (const { name } of entries) if (layout.isSkillFile(name)) owned.add(of(name));
  const found = new Map<string, Companion>();
  for (const entry of entries) {
    const { name } = entry;
    const isOwned = owned.has(name);
    if (!isOwned && !always.includes(name)) continue;
    if (entry.isDirectory()) found.set(name, isOwned ? "folder" : LONELY);
    else if (entry.isSymbolicLink()) found.set(name, isOwned ? "link" : LONELY);
  }
  return found;
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "a folder";
  if (entry.isFIFO()) return "a FIFO";
  if (entry.isSocket()) return "a socket";
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "a device" : "a special file";
}

/** Agent Skills: a folder with a `SKILL.md` in any case, or `.SKILL.md`, its name while the skill is disabled. */
export const SKILL_FOLDERS: FolderLayout = {
  isSkillFile: (name) =>
    (name.length === 8 || (name.length === 9 && name.startsWith("."))) &&
    name.toLowerCase().endsWith("skill.md"),
  settings: { folder: POLICY_FOLDER, file: POLICY_FILE },
};

/**
 * A library: every `.md` file is a skill, and `auth/` beside `auth.md` holds its assets and scripts. Hidden files and folders, such
 * as those of an editor or a git server, are not part of it.
 */
export const LIBRARY: FolderLayout = {
  isSkillFile: (name) => name.endsWith(".md") && !name.startsWith("."),
  skipsHiddenFolders: true,
  companions: { of: (fileName) => fileName.slice(0, -3), always: ["_index", "_root"] },
};

/** Folders in which the watcher saw a change, with the names that changed; undefined when they are not known. */
export type DirtyFolders = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** A folder's entries, and what the folder was like when it was listed. */
export interface CachedFolder {
  /** As seen below the root. */
  readonly dir: string;
  readonly listing: Listing;
  /** The folder's fingerprint when it was listed; undefined when it has to be listed again. */
  readonly fingerprint: Fingerprint | undefined;
}

/** Listed folders by their real paths. */
export type CachedFolders = ReadonlyMap<string, CachedFolder>;

/** Leaves out the folders that changed. A name that changed may be another folder by now, so everything below it goes too. */
export function clean(folders: CachedFolders, dirty: DirtyFolders): CachedFolders {
  const stale = new Set<string>();
  const mark = (folder: string, names: ReadonlySet<string> | undefined): void => {
    stale.add(folder);
    for (const name of folders.get(folder)?.listing.folders ?? []) {
      if (names === undefined || names.has(name)) mark(below(folder, name), undefined);
    }
  };
  for (const [folder, names] of dirty) mark(folder, names);
  const rest = new Map(folders);
  for (const folder of stale) rest.delete(folder);
  return rest;
}

/** `path.join` for a name that the disk gave us, which needs no normalizing, at a fraction of its cost. */
export function below(dir: string, name: string): string {
  return dir.endsWith(path.sep) ? dir + name : dir + path.sep + name;
}
