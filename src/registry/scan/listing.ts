import type { Dirent } from "node:fs";
import { sortedInSteps } from "../../catalog/sort-in-steps.ts";
import { inTurn, type Steps } from "../../catalog/steps.ts";
import { addedToDigest, nameDigest } from "./listing-digest.ts";

/** How skills lie in folders. */
export interface Layout {
  isSkillFile(name: string): boolean;
  /** Where what belongs to a skill file lies in a folder beside it. */
  readonly companions?: {
    /** The folder of one file; it is not searched. */
    of(fileName: string): string;
    /** Folders that are companions whether their file is there or not. */
    readonly always: readonly string[];
  };
}

export interface ListedFile {
  readonly name: string;
  readonly isLink: boolean;
  /** What lies where its companion folder is expected. */
  readonly companion?: "folder" | "link";
}

/** What a search needs to know of a folder's entries, by their names alone. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Folders to enter. */
  readonly folders: readonly string[];
  /** Links that may lead to folders. */
  readonly links: readonly string[];
  /** What is called like a skill file but is something else, with what it is; and companions without their file. */
  readonly odd: readonly (readonly [name: string, kind: string])[];
  /** How many entries there are in all. */
  readonly entries: number;
  /** See `addedToDigest`. */
  readonly digest: number;
}

/** What the folder of a file's companions is while that file is missing. */
export const LONELY = "lonely";

/** Folders that hold other people's files by the ten thousand, and never a skill of the user's. */
const NOT_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

// Most folders have nothing of most kinds, and a catalog has ten thousands of folders: they share these.
const NONE: readonly never[] = [];
export const PLAIN_SKILL: ListedFile = { name: "SKILL.md", isLink: false };
const ONE_SKILL: readonly ListedFile[] = [PLAIN_SKILL];

const ONLY_A_SKILL: Listing = {
  files: ONE_SKILL,
  folders: NONE,
  links: NONE,
  odd: NONE,
  entries: 1,
  digest: nameDigest(PLAIN_SKILL.name, false),
};

export const EMPTY_LISTING: Listing = {
  files: NONE,
  folders: NONE,
  links: NONE,
  odd: NONE,
  entries: 0,
  digest: 0,
};

export function listingOf(entries: readonly Dirent[], layout: Layout): Listing {
  if (isOnlyASkill(entries, layout)) return ONLY_A_SKILL;
  return usualListing(entries, layout) ?? listingOfAny(entries, layout);
}

/** What most folders of skills are. */
function isOnlyASkill(entries: readonly Dirent[], layout: Layout): boolean {
  const entry = entries.length === 1 ? entries[0] : undefined;
  return entry?.name === PLAIN_SKILL.name && entry.isFile() && layout.isSkillFile(PLAIN_SKILL.name);
}

/**
 * The same as `listingOfAny` for nothing but plain files and folders; undefined for everything else. A first look meets ten
 * thousands of folders while this code is still slow, so it makes nothing that does not stay.
 */
function usualListing(entries: readonly Dirent[], layout: Layout): Listing | undefined {
  if (layout.companions !== undefined) return undefined;
  let files: readonly ListedFile[] = NONE;
  let folders: string[] | undefined;
  let digest = 0;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as Dirent;
    const { name } = entry;
    digest = addedToDigest(digest, entry);
    const isFolder = entry.isDirectory();
    if (name === PLAIN_SKILL.name && entry.isFile()) files = ONE_SKILL;
    else if (layout.isSkillFile(name) || !(isFolder || entry.isFile())) return undefined;
    else if (isFolder && !NOT_ENTERED.has(name)) {
      folders ??= [];
      folders.push(name);
    }
  }
  return { files, folders: folders ?? NONE, links: NONE, odd: NONE, entries: entries.length, digest };
}

function listingOfAny(entries: readonly Dirent[], layout: Layout): Listing {
  const sorting = newSorting(entries, layout);
  for (const entry of entries) sortIn(sorting, entry, layout);
  return compactListing(sorting);
}

/** The same in steps for a folder that has a great many entries, in any order; the listing has them in order. */
export function* listingSteps(entries: readonly Dirent[], layout: Layout): Steps<Listing> {
  const sorting = newSorting(entries, layout);
  yield* inTurn(yield* sortedInSteps(entries, byName), (entry) => sortIn(sorting, entry, layout));
  return compactListing(sorting);
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** A listing while it is made. */
interface Sorting {
  readonly files: ListedFile[];
  readonly folders: string[];
  readonly links: string[];
  readonly odd: (readonly [string, string])[];
  readonly entries: number;
  digest: number;
  readonly companions: ReadonlyMap<string, FoundCompanion> | undefined;
}

type FoundCompanion = "folder" | "link" | typeof LONELY;

function newSorting(entries: readonly Dirent[], layout: Layout): Sorting {
  const companions = layout.companions && companionsAmong(entries, layout, layout.companions);
  return { files: [], folders: [], links: [], odd: [], entries: entries.length, digest: 0, companions };
}

/** Sorts an entry by what a search needs to know of it. */
function sortIn(sorting: Sorting, entry: Dirent, layout: Layout): void {
  const { name } = entry;
  sorting.digest = addedToDigest(sorting.digest, entry);
  const skillFile = layout.isSkillFile(name);
  if (skillFile) sortInSkillFile(sorting, entry, layout);
  // Most are files, of which nothing more is to be known.
  if (entry.isFile() || NOT_ENTERED.has(name)) return;
  const companion = sorting.companions?.get(name);
  if (companion === LONELY) sorting.odd.push([name, LONELY]);
  if (companion !== undefined) return;
  if (entry.isDirectory()) sorting.folders.push(name);
  else if (!skillFile && entry.isSymbolicLink()) sorting.links.push(name);
}

function sortInSkillFile({ files, odd, companions }: Sorting, entry: Dirent, layout: Layout): void {
  const { name } = entry;
  const isLink = entry.isSymbolicLink();
  if (isLink || entry.isFile()) {
    const companion = companions?.get(layout.companions?.of(name) ?? "");
    files.push(
      companion === undefined || companion === LONELY ? { name, isLink } : { name, isLink, companion },
    );
  } else if (companions === undefined || !entry.isDirectory()) {
    odd.push([name, kindOf(entry)]);
  }
}

/** The same, with the parts that many folders have alike shared between them. */
export function compactListing({ files, folders, links, odd, entries, digest }: Listing): Listing {
  const file = files.length === 1 ? files[0] : undefined;
  const onlySkill = file?.name === PLAIN_SKILL.name && !file.isLink && file.companion === undefined;
  if (onlySkill && entries === 1) return ONLY_A_SKILL;
  return {
    files: onlySkill ? ONE_SKILL : orNone(files),
    folders: orNone(folders),
    links: orNone(links),
    odd: orNone(odd),
    entries,
    digest,
  };
}

function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

export function sameListing(a: Listing, b: Listing): boolean {
  return (
    a === b ||
    (a.entries === b.entries &&
      a.digest === b.digest &&
      sameItems(a.files, b.files, sameFile) &&
      sameItems(a.folders, b.folders, Object.is) &&
      sameItems(a.links, b.links, Object.is) &&
      sameItems(a.odd, b.odd, (one, other) => one[0] === other[0] && one[1] === other[1]))
  );
}

function sameItems<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => same(item, b[index] as T)));
}

export function sameFile(a: ListedFile, b: ListedFile): boolean {
  return a === b || (a.name === b.name && a.isLink === b.isLink && a.companion === b.companion);
}

/** The folders among these entries that belong to a skill file beside them, or would if it were there. */
function companionsAmong(
  entries: readonly Dirent[],
  layout: Layout,
  { of, always }: NonNullable<Layout["companions"]>,
): ReadonlyMap<string, FoundCompanion> {
  const owned = new Set<string>();
  for (const { name } of entries) if (layout.isSkillFile(name)) owned.add(of(name));
  const found = new Map<string, FoundCompanion>();
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
