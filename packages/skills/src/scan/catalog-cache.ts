import { readFile, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { createTimeSlices, type Fingerprint, replaceCacheFile } from "#util";
import { shortHash } from "#util/pure";
import { type CachedHead, isLasting } from "../read/file-reader.ts";
import { below, type CachedFolder, type CachedFolders, type Listing, ONLY_A_SKILL } from "./listing.ts";

export interface CacheOptions {
  readonly folder: string;
  /** The version of the program: what another version cached is not used. */
  readonly version: string;
  /** A root with fewer files is not cached. */
  readonly fewestFiles?: number;
}

/** What is known of a root: its folders by their real paths, and the heads of its files by the paths they are shown by. */
export interface CachedRoot<T> {
  readonly folders: CachedFolders;
  readonly heads: ReadonlyMap<string, CachedHead<T>>;
}

/** What was made of files, by the paths that they are shown by. */
type CachedFiles<T> = ReadonlyMap<string, { readonly cached: CachedHead<T> | undefined }>;

/** What is known of a root, on disk between runs. A folder or file is used only while it has the same fingerprint. */
export interface RootCache<T> {
  /** What an earlier run saved; undefined when nothing of it can be used, and after the first call. */
  load(): Promise<CachedRoot<T> | undefined>;
  /** A folder or file had to be read. */
  noteRead(): void;
  /** Saves a root, if that spares the next start much. Never fails: without room or permission nothing is saved. */
  save(folders: CachedFolders, files: CachedFiles<T>): Promise<void>;
}

export interface RootCacheOptions extends CacheOptions {
  /** The root, and whatever else decides what is made of its files. */
  readonly rootDir: string;
  readonly kind: string;
  readonly now: () => number;
}

/** Fewer files than this are read as fast as their cache. */
const FEWEST_FILES = 200;
/** An edit must not write everything again; the next start reads what is missing. */
const SHARE_THAT_COUNTS = 0.02;
const LEAST_MS_BETWEEN_SAVES = 60_000;
/** A file in use is marked this often, so that it is not removed as an old one. */
const MARKED_EVERY_MS = 24 * 60 * 60_000;
const LARGEST_FILE = 128 * 1024 * 1024;

export function createRootCache<T>(options: RootCacheOptions): RootCache<T> {
  const { folder, version, fewestFiles = FEWEST_FILES, rootDir, kind, now } = options;
  const file = path.join(folder, `catalog-${shortHash(`${kind}\0${rootDir}`)}.jsonl`);
  const header = { version, kind, rootDir };
  let isLoaded = false;
  let reads = 0;
  let savedAt = Number.NEGATIVE_INFINITY;
  return {
    async load() {
      if (isLoaded) return undefined;
      isLoaded = true;
      try {
        const { size, mtimeMs } = await stat(file);
        if (size > LARGEST_FILE) return undefined;
        if (now() - mtimeMs > MARKED_EVERY_MS) void utimes(file, new Date(), new Date()).catch(() => {});
        return await parseCatalog(await readFile(file), header);
      } catch {
        return undefined;
      }
    },
    noteRead() {
      reads++;
    },
    async save(folders, files) {
      const { size } = files;
      if (size < fewestFiles || reads <= size * SHARE_THAT_COUNTS) return;
      if (now() - savedAt < LEAST_MS_BETWEEN_SAVES) return;
      reads = 0;
      savedAt = now();
      try {
        const content = () => formatCatalog(folders, files, header);
        await replaceCacheFile(file, content, now());
      } catch {
        // The next start reads every file, as this one did.
      }
    },
  };
}

/** What a file begins with; one that begins otherwise is not used. */
interface CatalogHeader {
  readonly version: string;
  readonly kind: string;
  readonly rootDir: string;
}

/** A folder: its path below the root, its real path unless that is the same, its fingerprint, its entries, its files. */
type SavedFolder<T> = readonly [
  dir: string,
  realDir: string | 0,
  fingerprint: number,
  listing: Listing | 0,
  files: readonly (readonly [name: string, fingerprint: number, value: T])[],
];

const FORMAT = 7;
/** Lines of several entries are parsed faster than lines of one. */
const ENTRIES_PER_LINE = 64;

/** JSON lines: a header, some folders on each line, and a checksum of everything before it. */
async function formatCatalog<T>(
  folders: CachedFolders,
  files: CachedFiles<T>,
  header: CatalogHeader,
): Promise<readonly Uint8Array[]> {
  const slices = createTimeSlices();
  const chunks = [Buffer.from(headerLine(header))];
  const all = [...folders];
  for (let from = 0; from < all.length; from += ENTRIES_PER_LINE) {
    const some = all.slice(from, from + ENTRIES_PER_LINE);
    const entries = some.map(([realDir, folder]) => entryOf(realDir, folder, files, header.rootDir));
    chunks.push(Buffer.from(`${JSON.stringify(entries)}\n`));
    await slices.yieldIfDue();
  }
  const content = Buffer.concat(chunks);
  return [content, Buffer.from(checksumLine(content))];
}

function entryOf<T>(
  realDir: string,
  { dir, fingerprint = 0, listing }: CachedFolder,
  files: CachedFiles<T>,
  rootDir: string,
): SavedFolder<T> {
  const heads = listing.files.flatMap(({ name }) => {
    const cached = files.get(below(dir, name))?.cached;
    return isLasting(cached) ? [[name, cached.fingerprint, cached.head.value] as const] : [];
  });
  // Most folders hold nothing but a SKILL.md, and are reached by no link.
  const entries = listing === ONLY_A_SKILL ? 0 : listing;
  return [dir.slice(rootDir.length), dir === realDir ? 0 : realDir, fingerprint, entries, heads];
}

/** Reads what `formatCatalog` wrote; undefined for anything else, and for another header. */
export async function parseCatalog<T>(
  bytes: Buffer,
  header: CatalogHeader,
): Promise<CachedRoot<T> | undefined> {
  const contentEnd = bytes.lastIndexOf("\n", -2) + 1;
  const content = bytes.subarray(0, contentEnd);
  if (bytes.toString("latin1", contentEnd) !== checksumLine(content)) return undefined;
  const text = content.toString();
  const first = headerLine(header);
  if (!text.startsWith(first)) return undefined;
  const slices = createTimeSlices();
  const folders = new Map<string, CachedFolder>();
  const heads = new Map<string, CachedHead<T>>();
  for (let start = first.length, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    for (const entry of JSON.parse(text.slice(start, end)) as readonly SavedFolder<T>[]) {
      const dir = header.rootDir + entry[0];
      folders.set(entry[1] === 0 ? dir : entry[1], folderOf(dir, entry));
      for (const file of entry[4]) heads.set(below(dir, file[0]), headOf(file[1], file[2]));
    }
    await slices.yieldIfDue();
  }
  return { folders, heads };
}

function folderOf(dir: string, [, , fingerprint, listing]: SavedFolder<unknown>): CachedFolder {
  return {
    dir,
    listing: listing === 0 ? ONLY_A_SKILL : listing,
    fingerprint: fingerprint === 0 ? undefined : fingerprint,
  };
}

function headOf<T>(fingerprint: Fingerprint, value: T): CachedHead<T> {
  return { head: { ok: true, value, warnings: NO_WARNINGS }, fingerprint, unsureSince: undefined };
}

const NO_WARNINGS: readonly never[] = [];

function headerLine(header: CatalogHeader): string {
  return `${JSON.stringify({ format: FORMAT, ...header })}\n`;
}

function checksumLine(content: Uint8Array): string {
  return `${JSON.stringify({ checksum: crc32(content) })}\n`;
}
