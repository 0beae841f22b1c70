import path from "node:path";
import { crc32 } from "node:zlib";
import type { Steps } from "../../catalog/steps.ts";
import { type FileRecord, isLasting } from "../read/file-cache.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import type { FolderNode, FoundFile } from "../scan/folder-tree.ts";
import {
  BYTE_ORDER_MARK,
  FILE_FLAGS,
  FILE_NUMBERS,
  FOLDER_NUMBERS,
  HEADER,
  HEADER_NUMBERS,
  LARGEST_CATALOG_FILE,
  MAGIC_BYTES,
  magicLine,
  placesOf,
  TABLES_START,
  WIDE,
} from "./catalog-layout.ts";

const AT_ONCE = 256;
const CHECKED_AT_ONCE = 256 * 1024;

/** The content of a file that keeps these folders and what was read of the files in them; undefined when it is too much. */
export function* catalogBytes<T>(
  starts: readonly FolderNode[],
  recordOf: (found: FoundFile) => FileRecord<T> | undefined,
  format: HeadFormat<T>,
  version: string,
): Steps<Uint8Array | undefined> {
  const folders: FolderNode[] = [...starts];
  const files: FoundFile[] = [];
  for (let index = 0; index < folders.length; index++) {
    const folder = folders[index] as FolderNode;
    for (const child of folder.children) folders.push(child);
    for (const file of folder.found) files.push(file);
    if (index % AT_ONCE === 0) yield AT_ONCE;
  }
  const strings = createStrings();
  const identities = new Float64Array(folders.length + files.length);
  const folderTable = new Uint32Array(folders.length * FOLDER_NUMBERS);
  for (const [index, { dir, identity, listing, failure }] of folders.entries()) {
    const name = dir.slice(dir.lastIndexOf(path.sep) + 1);
    const { links, odd } = listing;
    const more = links.length + odd.length === 0 ? 0 : strings.add(JSON.stringify({ links, odd })) + 1;
    const isKept = failure === undefined;
    identities[index] = (isKept ? identity : undefined) ?? NaN;
    folderTable.set(
      [
        strings.add(name),
        listing.folders.length,
        listing.files.length,
        listing.entries,
        more,
        listing.digest,
      ],
      index * FOLDER_NUMBERS,
    );
    if (index % AT_ONCE === 0) yield AT_ONCE;
  }
  const fileTable = new Uint32Array(files.length * FILE_NUMBERS);
  for (const [index, found] of files.entries()) {
    const { fileName, isLink, companion } = found;
    const known = recordOf(found);
    const record = isLasting(known) ? known : undefined;
    const texts = record === undefined ? NO_TEXTS : format.toTexts(record.head.value);
    identities[folders.length + index] = record?.identity ?? NaN;
    const flags =
      (isLink ? FILE_FLAGS.isLink : 0) |
      (companion === "folder" ? FILE_FLAGS.companionFolder : 0) |
      (companion === "link" ? FILE_FLAGS.companionLink : 0) |
      (record === undefined ? 0 : FILE_FLAGS.hasHead);
    fileTable.set(
      [strings.add(fileName), flags, strings.add(texts[0]), strings.add(texts[1])],
      index * FILE_NUMBERS,
    );
    if (index % AT_ONCE === 0) yield AT_ONCE;
  }
  const startsText = JSON.stringify(starts.map(({ dir, realDir, depth }) => [dir, realDir, depth]));
  const startsString = strings.add(startsText);
  return yield* assembled({
    version,
    folders,
    files,
    identities,
    folderTable,
    fileTable,
    strings,
    startsString,
  });
}

const NO_TEXTS = ["", ""] as const;

interface Parts {
  readonly version: string;
  readonly folders: readonly FolderNode[];
  readonly files: readonly FoundFile[];
  readonly identities: Float64Array;
  readonly folderTable: Uint32Array;
  readonly fileTable: Uint32Array;
  readonly strings: ReturnType<typeof createStrings>;
  readonly startsString: number;
}

function* assembled(parts: Parts): Steps<Uint8Array | undefined> {
  const { strings } = parts;
  const counts = {
    folders: parts.folders.length,
    files: parts.files.length,
    strings: strings.count(),
    narrowBytes: strings.narrowLength(),
    wideBytes: strings.wideLength() * 2,
  };
  const places = placesOf(counts);
  if (places.end > LARGEST_CATALOG_FILE) return undefined;
  const bytes = Buffer.allocUnsafeSlow(places.end);
  bytes.write(magicLine(parts.version), 0, "latin1");
  bytes.set(asBytes(parts.identities), places.identities);
  bytes.set(asBytes(parts.folderTable), places.folders);
  bytes.set(asBytes(parts.fileTable), places.files);
  bytes.set(asBytes(strings.table()), places.strings);
  yield AT_ONCE;
  yield* strings.write(bytes, places.wide, places.narrow);
  const header = new Uint32Array(HEADER_NUMBERS);
  header[HEADER.byteOrder] = BYTE_ORDER_MARK;
  header[HEADER.folders] = counts.folders;
  header[HEADER.files] = counts.files;
  header[HEADER.strings] = counts.strings;
  header[HEADER.narrowBytes] = counts.narrowBytes;
  header[HEADER.wideBytes] = counts.wideBytes;
  header[HEADER.starts] = parts.startsString;
  header[HEADER.checksum] = yield* checksumOf(header, bytes.subarray(TABLES_START));
  bytes.set(asBytes(header), MAGIC_BYTES);
  return bytes;
}

/** Of the header, whose own place for it must be zero, and of everything after it. */
export function* checksumOf(header: Uint32Array, tables: Uint8Array): Steps<number> {
  let sum = crc32(asBytes(header));
  for (let from = 0; from < tables.length; from += CHECKED_AT_ONCE) {
    sum = crc32(tables.subarray(from, from + CHECKED_AT_ONCE), sum);
    yield AT_ONCE;
  }
  return sum;
}

function asBytes({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Strings, each kept once, in the narrower of two texts that it fits in. */
function createStrings() {
  const known = new Map<string, number>();
  const numbers: number[] = [];
  const texts = { narrow: [] as string[], wide: [] as string[] };
  const lengths = { narrow: 0, wide: 0 };
  return {
    add(text: string): number {
      const same = known.get(text);
      if (same !== undefined) return same;
      const index = known.size;
      known.set(text, index);
      const width = WIDE_CHARACTER.test(text) ? "wide" : "narrow";
      numbers.push(lengths[width], width === "wide" ? text.length + WIDE : text.length);
      texts[width].push(text);
      lengths[width] += text.length;
      return index;
    },
    count: () => known.size,
    table: () => Uint32Array.from(numbers),
    narrowLength: () => lengths.narrow,
    wideLength: () => lengths.wide,
    *write(bytes: Buffer, wideStart: number, narrowStart: number): Steps<void> {
      for (const [all, start, encoding] of [
        [texts.wide, wideStart, "utf16le"],
        [texts.narrow, narrowStart, "latin1"],
      ] as const) {
        let at: number = start;
        for (let from = 0; from < all.length; from += AT_ONCE) {
          at += bytes.write(all.slice(from, from + AT_ONCE).join(""), at, encoding);
          yield AT_ONCE;
        }
      }
    },
  };
}

const WIDE_CHARACTER = /[^\0-\xff]/;
