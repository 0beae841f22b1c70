import type { Steps } from "../catalog/search/index-of-skills.ts";
import {
  BYTE_ORDER_MARK,
  FILE_FLAGS,
  FILE_NUMBERS,
  FOLDER_NUMBERS,
  HEADER,
  HEADER_NUMBERS,
  IDENTITY_NUMBERS,
  MAGIC_BYTES,
  MAGIC_LINE,
  placesOf,
  STRING_NUMBERS,
  TABLES_START,
  WIDE,
} from "./catalog-layout.ts";
import type { FileRecord } from "./file-cache.ts";
import { below, type FolderNode, type FoundFile, newFolder, newFound } from "./folder-tree.ts";
import type { Identity } from "./identity.ts";
import { compactListing, type ListedFile, type Listing } from "./listing.ts";
import type { HeadFormat } from "./read-skill-file.ts";
import { checksumOf } from "./write-catalog.ts";

/** What was kept of a root. It is never believed: every folder and file is compared with the disk. */
export interface KeptRoot<T> {
  readonly starts: readonly FolderNode[];
  readonly records: ReadonlyMap<FoundFile, FileRecord<T>>;
}

const AT_ONCE = 256;

/** Undefined for anything that `catalogBytes` did not write. The bytes begin at a multiple of eight. */
export function* parseCatalog<T>(bytes: Buffer, format: HeadFormat<T>): Steps<KeptRoot<T> | undefined> {
  const tables = yield* checkedTables(bytes);
  if (tables === undefined) return undefined;
  const { identities, folderTable, fileTable, string, starts: startsText } = tables;
  const starts = startFolders(startsText);
  if (starts === undefined) return undefined;
  const folders: FolderNode[] = [...starts];
  const records = new Map<FoundFile, FileRecord<T>>();
  const folderCount = folderTable.length / FOLDER_NUMBERS;
  const fileCount = fileTable.length / FILE_NUMBERS;
  let nextFile = 0;
  for (let index = 0; index < folders.length; index++) {
    if (index % AT_ONCE === AT_ONCE - 1) yield AT_ONCE;
    const folder = folders[index] as FolderNode;
    const row = index * FOLDER_NUMBERS;
    const firstChild = folders.length;
    const childEnd = firstChild + (folderTable[row + 1] ?? 0);
    const fileEnd = nextFile + (folderTable[row + 2] ?? 0);
    if (childEnd > folderCount || fileEnd > fileCount) return undefined;
    const names: string[] = [];
    const children: FolderNode[] = [];
    for (let child = firstChild; child < childEnd; child++) {
      const name = string(folderTable[child * FOLDER_NUMBERS] ?? 0);
      if (!isEntryName(name)) return undefined;
      const dir = below(folder.dir, name);
      const realDir = folder.dir === folder.realDir ? dir : below(folder.realDir, name);
      const node = newFolder(dir, realDir, folder.depth + 1);
      names.push(name);
      children.push(node);
      folders.push(node);
    }
    const files: ListedFile[] = [];
    for (let file = nextFile; file < fileEnd; file++) {
      const listed = listedFile(fileTable, file, string);
      if (listed === undefined) return undefined;
      files.push(listed);
    }
    const listing = listingFrom(folderTable, row, { folders: names, files }, string);
    if (listing === undefined) return undefined;
    folder.listing = listing;
    folder.children = children;
    folder.identity = identityAt(identities, index);
    folder.found = listing.files.map((file) => newFound(folder, file));
    for (const found of folder.found) {
      const record = recordAt(nextFile++);
      if (record !== undefined) records.set(found, record);
    }
  }
  return folders.length === folderCount && nextFile === fileCount ? { starts, records } : undefined;

  function recordAt(file: number): FileRecord<T> | undefined {
    const row = file * FILE_NUMBERS;
    if (((fileTable[row + 1] ?? 0) & FILE_FLAGS.hasHead) === 0) return undefined;
    const identity = identityAt(identities, folderCount + file);
    const value = format.fromTexts(string(fileTable[row + 2] ?? 0), string(fileTable[row + 3] ?? 0));
    if (identity === undefined || value === undefined) return undefined;
    return { head: { ok: true, value, warnings: NO_WARNINGS }, identity, unsureSince: undefined };
  }
}

const NO_WARNINGS: readonly never[] = [];

function* checkedTables(bytes: Buffer) {
  if (bytes.length < TABLES_START || bytes.toString("latin1", 0, MAGIC_BYTES) !== MAGIC_LINE)
    return undefined;
  const header = new Uint32Array(
    bytes.buffer.slice(bytes.byteOffset + MAGIC_BYTES, bytes.byteOffset + TABLES_START),
  );
  const at = (place: number): number => header[place] ?? 0;
  const counts = {
    folders: at(HEADER.folders),
    files: at(HEADER.files),
    strings: at(HEADER.strings),
    narrowBytes: at(HEADER.narrowBytes),
    wideBytes: at(HEADER.wideBytes),
  };
  const places = placesOf(counts);
  if (at(HEADER.byteOrder) !== BYTE_ORDER_MARK || places.end !== bytes.length) return undefined;
  const checksum = at(HEADER.checksum);
  const starts = at(HEADER.starts);
  header[HEADER.checksum] = 0;
  if (checksum !== (yield* checksumOf(header, bytes.subarray(TABLES_START)))) return undefined;
  const numbers = (from: number, count: number) =>
    new Uint32Array(bytes.buffer, bytes.byteOffset + from, count);
  const table = numbers(places.strings, counts.strings * STRING_NUMBERS);
  const wide = bytes.toString("utf16le", places.wide, places.narrow);
  const narrow = bytes.toString("latin1", places.narrow, places.end);
  /** A piece of one of the texts; all of them together are what the texts hold. */
  const string = (index: number): string => {
    const start = table[index * STRING_NUMBERS] ?? 0;
    const length = table[index * STRING_NUMBERS + 1] ?? 0;
    return length >= WIDE ? wide.slice(start, start + length - WIDE) : narrow.slice(start, start + length);
  };
  return {
    identities: new Float64Array(
      bytes.buffer,
      bytes.byteOffset + places.identities,
      (counts.folders + counts.files) * IDENTITY_NUMBERS,
    ),
    folderTable: numbers(places.folders, counts.folders * FOLDER_NUMBERS),
    fileTable: numbers(places.files, counts.files * FILE_NUMBERS),
    string,
    starts: string(starts),
  };
}

function identityAt(table: Float64Array, index: number): Identity | undefined {
  const at = index * IDENTITY_NUMBERS;
  const [device = NaN, inode = 0, size = 0, modified = 0, changed = 0] = [
    table[at],
    table[at + 1],
    table[at + 2],
    table[at + 3],
    table[at + 4],
  ];
  return Number.isNaN(device) ? undefined : { device, inode, size, modified, changed };
}

/** A name that one entry of a folder can have: nothing that leads elsewhere. */
function isEntryName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.includes("\0");
}

function listedFile(
  table: Uint32Array,
  file: number,
  string: (index: number) => string,
): ListedFile | undefined {
  const name = string(table[file * FILE_NUMBERS] ?? 0);
  if (!isEntryName(name)) return undefined;
  const flags = table[file * FILE_NUMBERS + 1] ?? 0;
  const isLink = (flags & FILE_FLAGS.isLink) !== 0;
  if ((flags & FILE_FLAGS.companionFolder) !== 0) return { name, isLink, companion: "folder" };
  return (flags & FILE_FLAGS.companionLink) === 0 ? { name, isLink } : { name, isLink, companion: "link" };
}

function listingFrom(
  table: Uint32Array,
  row: number,
  listed: Pick<Listing, "folders" | "files">,
  string: (index: number) => string,
): Listing | undefined {
  const entries = table[row + 3] ?? 0;
  const more = table[row + 4] ?? 0;
  if (more === 0) return compactListing({ ...listed, links: [], odd: [], entries });
  const parsed = JSON.parse(string(more - 1)) as Partial<Pick<Listing, "links" | "odd">> | null;
  const { links, odd } = parsed ?? {};
  if (!Array.isArray(links) || !links.every(isNameText)) return undefined;
  if (!Array.isArray(odd) || !odd.every(isOddText)) return undefined;
  return compactListing({ ...listed, links, odd, entries });
}

function isNameText(value: unknown): value is string {
  return typeof value === "string" && isEntryName(value);
}

function isOddText(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && isNameText(value[0]) && typeof value[1] === "string";
}

function startFolders(text: string): readonly FolderNode[] | undefined {
  const starts: FolderNode[] = [];
  for (const start of JSON.parse(text) as readonly unknown[]) {
    if (!Array.isArray(start)) return undefined;
    const [dir, realDir, depth] = start as readonly unknown[];
    if (typeof dir !== "string" || typeof realDir !== "string" || typeof depth !== "number") return undefined;
    starts.push(newFolder(dir, dir === realDir ? dir : realDir, depth));
  }
  return starts;
}
