import { readFile, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { replaceCacheFile } from "../../system/files/cache-file.ts";
import { shortHash } from "../../system/hash.ts";
import { createTimeSlices, type TimeSlices } from "../../system/tasks/time-slice.ts";
import { type CachedHead, isLasting } from "../read/head-cache.ts";

export interface CacheOptions {
  readonly folder: string;
  /** Of the product: what another version cached is not used. */
  readonly version: string;
  /** A root with fewer files is not cached. */
  readonly fewestFiles?: number;
}

/** The heads of a root's files between runs. A head counts only if its file still has the same fingerprint. */
export interface RootCache<T> {
  /** The heads by the paths of their files; undefined when there are none, and after the first call. */
  load(files: number): Promise<ReadonlyMap<string, CachedHead<T>> | undefined>;
  /** A file had to be read. */
  noteRead(): void;
  /** Saves the heads, if that spares the next start much. Never fails: without room or permission nothing is saved. */
  save(heads: ReadonlyMap<string, { readonly cached: CachedHead<T> | undefined }>): Promise<void>;
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
    async load(files) {
      if (isLoaded || files < fewestFiles) return undefined;
      isLoaded = true;
      try {
        const { size, mtimeMs } = await stat(file);
        if (size > LARGEST_FILE) return undefined;
        if (now() - mtimeMs > MARKED_EVERY_MS) void utimes(file, new Date(), new Date()).catch(() => {});
        return await parseCatalog(await readFile(file), header, createTimeSlices());
      } catch {
        return undefined;
      }
    },
    noteRead() {
      reads++;
    },
    async save(heads) {
      const { size } = heads;
      if (size < fewestFiles || reads <= size * SHARE_THAT_COUNTS) return;
      if (now() - savedAt < LEAST_MS_BETWEEN_SAVES) return;
      reads = 0;
      savedAt = now();
      try {
        await replaceCacheFile(file, () => formatCatalog(heads, header, createTimeSlices()), now());
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

/** The path below the root, the fingerprint and the head of one file. */
type Line<T> = readonly [file: string, fingerprint: number, value: T];

const FORMAT = 2;
const LINES_AT_ONCE = 64;

/** JSON lines: a header, one line for each file, and a checksum of everything before it. */
async function formatCatalog<T>(
  heads: ReadonlyMap<string, { readonly cached: CachedHead<T> | undefined }>,
  header: CatalogHeader,
  slices: TimeSlices,
): Promise<readonly Uint8Array[]> {
  const chunks = [Buffer.from(headerLine(header))];
  let lines = "";
  let count = 0;
  for (const [shown, { cached }] of heads) {
    if (!isLasting(cached)) continue;
    const line: Line<T> = [shown.slice(header.rootDir.length), cached.fingerprint, cached.head.value];
    lines += `${JSON.stringify(line)}\n`;
    if (++count % LINES_AT_ONCE > 0) continue;
    chunks.push(Buffer.from(lines));
    lines = "";
    await slices.yieldIfDue();
  }
  const content = Buffer.concat([...chunks, Buffer.from(lines)]);
  return [content, Buffer.from(checksumLine(content))];
}

/** Undefined for anything that `formatCatalog` did not write for this header. */
export async function parseCatalog<T>(
  bytes: Buffer,
  header: CatalogHeader,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, CachedHead<T>> | undefined> {
  const contentEnd = bytes.lastIndexOf("\n", -2) + 1;
  const content = bytes.subarray(0, contentEnd);
  if (bytes.toString("latin1", contentEnd) !== checksumLine(content)) return undefined;
  const text = content.toString();
  const first = headerLine(header);
  if (!text.startsWith(first)) return undefined;
  const heads = new Map<string, CachedHead<T>>();
  for (let start = first.length, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    const [file, fingerprint, value] = JSON.parse(text.slice(start, end)) as Line<T>;
    const head = { ok: true, value, warnings: NO_WARNINGS } as const;
    heads.set(header.rootDir + file, { head, fingerprint, unsureSince: undefined });
    if (heads.size % LINES_AT_ONCE === 0) await slices.yieldIfDue();
  }
  return heads;
}

const NO_WARNINGS: readonly never[] = [];

function headerLine(header: CatalogHeader): string {
  return `${JSON.stringify({ format: FORMAT, ...header })}\n`;
}

function checksumLine(content: Uint8Array): string {
  return `${JSON.stringify({ checksum: crc32(content) })}\n`;
}
