import type { Steps } from "../../catalog/steps.ts";
import type { Identity } from "../../system/fingerprint.ts";
import type { FileRecord } from "../read/file-cache.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import { below, type FolderNode, type FoundFile, newFolder, newFound } from "../scan/folder-tree.ts";
import { compactListing, type ListedFile, type Listing, PLAIN_SKILL } from "../scan/listing.ts";
import {
  BYTE_ORDER_MARK,
  FILE_FLAGS,
  FILE_NUMBERS,
  FOLDER_NUMBERS,
  HEADER,
  MAGIC_BYTES,
  magicLine,
  placesOf,
  STRING_NUMBERS,
  TABLES_START,
  WIDE,
} from "./catalog-layout.ts";
import { checksumOf } from "./write-catalog.ts";

/** What was kept of a root. It is never believed: every folder and file is compared with the disk. */
export interface KeptRoot<T> {
  readonly starts: readonly FolderNode[];
  readonly records: ReadonlyMap<FoundFile, FileRecord<T>>;
}

const AT_ONCE = 256;

/** Undefined for anything that `catalogBytes` did not write. The bytes begin at a multiple of eight. */
export function* parseCatalog<T>(
  bytes: Buffer,
  format: HeadFormat<T>,
  version: string,
): Steps<KeptRoot<T> | undefined> {
  const tables = yield* checkedTables(bytes, version);
  const starts = tables === undefined ? undefined : startFolders(tables.starts);
  if (tables === undefined || starts === undefined) return undefined;
  const decoder = createDecoder(tables, starts, format);
  while (decoder.hasMore()) {
    if (!decoder.decodeSome()) return undefined;
    yield AT_ONCE;
  }
  return decoder.isWhole() ? { starts, records: decoder.records } : undefined;
}

/** Makes folders of the tables, parents before their children. Plain functions, because a generator's loop is slow. */
function createDecoder<T>(tables: Tables, starts: readonly FolderNode[], format: HeadFormat<T>) {
  const { identities, folderTable, fileTable, string } = tables;
  const folders: FolderNode[] = [...starts];
  const records = new Map<FoundFile, FileRecord<T>>();
  const folderCount = folderTable.length / FOLDER_NUMBERS;
  const fileCount = fileTable.length / FILE_NUMBERS;
  let next = 0;
  let nextFile = 0;

  function decode(folder: FolderNode, index: number): boolean {
    const row = index * FOLDER_NUMBERS;
    const childCount = folderTable[row + 1] ?? 0;
    const ownFiles = folderTable[row + 2] ?? 0;
    if (folders.length + childCount > folderCount || nextFile + ownFiles > fileCount) return false;
    const names: string[] = childCount === 0 ? NONE : [];
    const files: ListedFile[] = ownFiles === 0 ? NONE : [];
    for (let child = folders.length; names.length < childCount; child++) {
      const name = string(folderTable[child * FOLDER_NUMBERS] ?? 0);
      if (!isEntryName(name)) return false;
      names.push(name);
    }
    for (let file = nextFile; files.length < ownFiles; file++) {
      const listed = listedFile(fileTable, file, string);
      if (listed === undefined) return false;
      files.push(listed);
    }
    const listing = listingFrom(folderTable, row, names, files, string);
    if (listing === undefined) return false;
    folder.listing = listing;
    folder.identity = identityAt(identities, index);
    if (childCount > 0) folder.children = addChildren(folder, names);
    if (ownFiles > 0) folder.found = files.map((file) => addFile(folder, file));
    return true;
  }

  function addChildren({ dir, realDir, depth }: FolderNode, names: readonly string[]): readonly FolderNode[] {
    return names.map((name) => {
      const childDir = below(dir, name);
      const child = newFolder(childDir, dir === realDir ? childDir : below(realDir, name), depth + 1);
      folders.push(child);
      return child;
    });
  }

  function addFile(folder: FolderNode, file: ListedFile): FoundFile {
    const found = newFound(folder, file);
    const record = recordAt(nextFile++);
    if (record !== undefined) records.set(found, record);
    return found;
  }

  function recordAt(file: number): FileRecord<T> | undefined {
    const row = file * FILE_NUMBERS;
    if (((fileTable[row + 1] ?? 0) & FILE_FLAGS.hasHead) === 0) return undefined;
    const identity = identityAt(identities, folderCount + file);
    const value = format.fromTexts(string(fileTable[row + 2] ?? 0), string(fileTable[row + 3] ?? 0));
    if (identity === undefined || value === undefined) return undefined;
    return { head: { ok: true, value, warnings: NO_WARNINGS }, identity, unsureSince: undefined };
  }

  return {
    records: records as ReadonlyMap<FoundFile, FileRecord<T>>,
    hasMore: () => next < folders.length,
    /** False when the tables contradict themselves. */
    decodeSome(): boolean {
      const end = Math.min(folders.length, next + AT_ONCE);
      for (; next < end; next++) if (!decode(folders[next] as FolderNode, next)) return false;
      return true;
    },
    isWhole: () => folders.length === folderCount && nextFile === fileCount,
  };
}

const NO_WARNINGS: readonly never[] = [];
/** Most folders have no folders, and many no files; never written to. */
const NONE: never[] = [];

interface Tables {
  readonly identities: Float64Array;
  readonly folderTable: Uint32Array;
  readonly fileTable: Uint32Array;
  readonly string: (index: number) => string;
  readonly starts: string;
}

function* checkedTables(bytes: Buffer, version: string): Steps<Tables | undefined> {
  if (bytes.length < TABLES_START || bytes.toString("latin1", 0, MAGIC_BYTES) !== magicLine(version))
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
      counts.folders + counts.files,
    ),
    folderTable: numbers(places.folders, counts.folders * FOLDER_NUMBERS),
    fileTable: numbers(places.files, counts.files * FILE_NUMBERS),
    string,
    starts: string(starts),
  };
}

function identityAt(table: Float64Array, index: number): Identity | undefined {
  const identity = table[index] ?? NaN;
  return Number.isNaN(identity) ? undefined : identity;
}

const ENTRY_NAME = /^(?!\.{1,2}$)[^/\0]+$/;

/** A name that one entry of a folder can have: nothing that leads elsewhere. */
function isEntryName(name: string): boolean {
  return ENTRY_NAME.test(name);
}

function listedFile(
  table: Uint32Array,
  file: number,
  string: (index: number) => string,
): ListedFile | undefined {
  const name = string(table[file * FILE_NUMBERS] ?? 0);
  if (!isEntryName(name)) return undefined;
  const flags = table[file * FILE_NUMBERS + 1] ?? 0;
  if (name === PLAIN_SKILL.name && (flags & ~FILE_FLAGS.hasHead) === 0) return PLAIN_SKILL;
  const isLink = (flags & FILE_FLAGS.isLink) !== 0;
  if ((flags & FILE_FLAGS.companionFolder) !== 0) return { name, isLink, companion: "folder" };
  return (flags & FILE_FLAGS.companionLink) === 0 ? { name, isLink } : { name, isLink, companion: "link" };
}

function listingFrom(
  table: Uint32Array,
  row: number,
  folders: readonly string[],
  files: readonly ListedFile[],
  string: (index: number) => string,
): Listing | undefined {
  const entries = table[row + 3] ?? 0;
  const more = table[row + 4] ?? 0;
  // Signed, as it was made.
  const digest = (table[row + 5] ?? 0) | 0;
  if (more === 0) return compactListing({ files, folders, links: NONE, odd: NONE, entries, digest });
  const parsed = JSON.parse(string(more - 1)) as Partial<Pick<Listing, "links" | "odd">> | null;
  const { links, odd } = parsed ?? {};
  if (!Array.isArray(links) || !links.every(isNameText)) return undefined;
  if (!Array.isArray(odd) || !odd.every(isOddText)) return undefined;
  return compactListing({ files, folders, links, odd, entries, digest });
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
