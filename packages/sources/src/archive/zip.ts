import { crc32, inflateRaw } from "node:zlib";
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import type { FetchLimits } from "../fetch/limits.ts";
import type { ArchiveFile } from "./archive-entry.ts";
import { ArchiveProblem, checkSize, shownName, tooLarge } from "./archive-problem.ts";
import { createNameRegister } from "./entry-names.ts";

const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const END_SIZE = 22;
const LOCATOR_SIZE = 20;
const END = 0x0605_4b50;
const END_64 = 0x0606_4b50;
const LOCATOR_64 = 0x0706_4b50;
/** Finder adds a folder of its own to every archive. */
const FINDER = "__MACOSX/";

interface ZipPlace {
  readonly entry: Entry;
  readonly path: string;
  readonly isFolder: boolean;
}

/** Reads the entries of a zip archive. Names, sizes and places are checked before anything is unpacked. */
export async function readZip(zip: Buffer, limits: FetchLimits): Promise<readonly ArchiveFile[]> {
  checkEnd(zip);
  const opened = await fromBufferPromise(zip, { lazyEntries: true, decodeStrings: false }).catch(asProblem);
  const directory = Number(opened.readEntryCursor);
  const places = await readDirectory(opened, zip, limits);
  const names = createNameRegister(limits);
  const files: ArchiveFile[] = [];
  const ranges: (readonly [number, number])[] = [];
  let total = 0;
  for (const { entry, path, isFolder } of places) {
    const start = await checkLocalHeader(opened, entry, path);
    ranges.push([entry.relativeOffsetOfLocalHeader, start + entry.compressedSize]);
    checkKind(entry, path, isFolder);
    if (isFolder) {
      names.addFolder(path);
      continue;
    }
    names.addFile(path);
    total += checkSize(path, entry.uncompressedSize, limits);
    if (total > limits.totalBytes) throw tooLarge(limits);
    const packed = zip.subarray(start, start + entry.compressedSize);
    const isExecutable = isUnix(entry) && (unixMode(entry) & 0o100) !== 0;
    files.push({ path, size: entry.uncompressedSize, isExecutable, read: () => unpack(entry, path, packed) });
  }
  checkRanges(ranges, directory);
  if (total > limits.ratioFromBytes && total > zip.length * limits.ratio)
    throw new ArchiveProblem("too-large", `unpacks to more than ${limits.ratio} times its size`);
  return files;
}

async function readDirectory(
  opened: ZipFile,
  zip: Buffer,
  limits: FetchLimits,
): Promise<readonly ZipPlace[]> {
  if (opened.entryCount > limits.files)
    throw new ArchiveProblem("too-large", `has more entries than the limit of ${limits.files}`);
  const places: ZipPlace[] = [];
  try {
    for await (const entry of opened.eachEntry()) {
      const name = getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        true,
      );
      const isFolder = name.endsWith("/");
      const path = isFolder ? name.slice(0, -1) : name;
      if (!name.startsWith(FINDER)) places.push({ entry, path, isFolder });
    }
  } catch (error) {
    asProblem(error);
  }
  // Entries that the end record does not count are seen by some programs and not by others.
  const cursor = Number(opened.readEntryCursor);
  const next = cursor + 4 <= zip.length ? zip.readUInt32LE(cursor) : 0;
  if (next !== END && next !== END_64) throw broken("has data after the entries of its directory");
  return places;
}

/** The zip64 records, where there are any, must say the same as the end record: programs differ in which one they believe. */
function checkEnd(zip: Buffer): void {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + END_SIZE > zip.length) throw broken("is truncated: its end record is missing");
  if (end + END_SIZE + zip.readUInt16LE(end + 20) !== zip.length) throw broken("has data after its end");
  const locator = end - LOCATOR_SIZE;
  if (locator < 0 || zip.readUInt32LE(locator) !== LOCATOR_64) return;
  const record = Number(zip.readBigUInt64LE(locator + 8));
  if (record > locator - 56 || zip.readUInt32LE(record) !== END_64) throw broken("has a broken zip64 record");
  const pairs: readonly (readonly [bigint, number, number])[] = [
    [zip.readBigUInt64LE(record + 32), zip.readUInt16LE(end + 10), 0xffff],
    [zip.readBigUInt64LE(record + 40), zip.readUInt32LE(end + 12), 0xffff_ffff],
    [zip.readBigUInt64LE(record + 48), zip.readUInt32LE(end + 16), 0xffff_ffff],
  ];
  for (const [long, short, absent] of pairs)
    if (short !== absent && BigInt(short) !== long)
      throw broken("has two end records that contradict each other");
}

/** Returns where the content begins. The header before it must agree with the directory, which programs may skip. */
async function checkLocalHeader(opened: ZipFile, entry: Entry, path: string): Promise<number> {
  const local = await opened.readLocalFileHeaderPromise(entry).catch(asProblem);
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    (local.generalPurposeBitFlag & ENCRYPTED) === (entry.generalPurposeBitFlag & ENCRYPTED);
  if (!isSame) throw broken(`has two headers that contradict each other at ${shownName(path)}`);
  return local.fileDataStart;
}

function checkKind(entry: Entry, path: string, isFolder: boolean): void {
  const refused = (why: string): ArchiveProblem =>
    new ArchiveProblem("unsafe", `is refused because its entry ${shownName(path)} ${why}`);
  if (entry.isEncrypted()) throw refused("is encrypted");
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw refused("is compressed in an unusual way; pack it with deflate");
  const type = isUnix(entry) ? unixMode(entry) & 0o170000 : 0;
  if (type === 0o120000) throw refused("is a symbolic link");
  if (type !== 0 && type !== (isFolder ? 0o040000 : 0o100000))
    throw refused("is neither a file nor a folder");
  if (isFolder && entry.uncompressedSize !== 0) throw broken(`has a folder with content, ${shownName(path)}`);
}

/** Archives that were made on Unix and macOS carry the mode of each file. */
const isUnix = ({ versionMadeBy }: Entry): boolean => [3, 19].includes(versionMadeBy >>> 8);
const unixMode = ({ externalFileAttributes }: Entry): number => externalFileAttributes >>> 16;

/** Entries that share content unpack to far more than the archive holds. */
function checkRanges(ranges: readonly (readonly [number, number])[], directory: number): void {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  let end = 0;
  for (const [start, stop] of sorted) {
    if (start < end || stop > directory)
      throw new ArchiveProblem("unsafe", "is refused because its entries overlap");
    end = stop;
  }
}

async function unpack(entry: Entry, path: string, packed: Buffer): Promise<Buffer> {
  const content = entry.compressionMethod === STORED ? packed : await inflate(entry, path, packed);
  if (content.length !== entry.uncompressedSize) throw lying(path);
  if (crc32(content) !== entry.crc32) throw broken(`is damaged: the checksum of ${shownName(path)} is wrong`);
  return content;
}

function inflate(entry: Entry, path: string, packed: Buffer): Promise<Buffer> {
  // One more byte than announced is enough to see that the size is wrong.
  const options = { maxOutputLength: entry.uncompressedSize + 1 };
  return new Promise((resolve, reject) => {
    inflateRaw(packed, options, (error, content) => {
      if (error === null) resolve(content);
      else if ("code" in error && error.code === "ERR_BUFFER_TOO_LARGE") reject(lying(path));
      else reject(broken(`is damaged: ${shownName(path)} cannot be unpacked`));
    });
  });
}

const lying = (path: string): ArchiveProblem =>
  broken(`is damaged: the size of ${shownName(path)} is not what the archive says`);

function asProblem(error: unknown): never {
  if (error instanceof ArchiveProblem) throw error;
  const words = error instanceof Error ? error.message : String(error);
  throw broken(`cannot be read: ${words.slice(0, 200)}`);
}

const broken = (message: string): ArchiveProblem => new ArchiveProblem("broken", message);
