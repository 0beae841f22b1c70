import { crc32 } from "node:zlib";

/**
 * Archives (`.tar.gz`) whose bytes depend on nothing but names, modes and contents: no times, no owners, and stored
 * instead of compressed, because what zlib compresses to differs between its versions and processors, and so would the
 * digests that installers compare.
 */

export interface TarFile {
  /** Below the archive's root, with `/`. */
  readonly name: string;
  readonly size: number;
  readonly executable: boolean;
  /** Exactly `size` bytes. */
  readonly read: () => Promise<Uint8Array>;
}

const BLOCK = 512;
const LARGEST_STORED = 65_535;
/** Magic, deflate, no flags, no time, no hints, unknown system. */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
const LAST_STORED = Uint8Array.of(1, 0, 0, 0xff, 0xff);
const LONGEST_NAME = 100;
const LONGEST_PREFIX = 155;

/** The bytes of the archive, a file at a time. Fails if a file has another size than it should. */
export async function* tarGzip(files: Iterable<TarFile>): AsyncGenerator<Uint8Array, void> {
  let check = 0;
  let total = 0;
  const stored = function* (bytes: Uint8Array): Generator<Uint8Array, void> {
    // The checksum of nothing is zero, and not the one so far.
    if (bytes.length === 0) return;
    check = crc32(bytes, check);
    total += bytes.length;
    yield* storedBlocks(bytes);
  };
  yield GZIP_HEAD;
  for (const file of files) {
    yield* stored(tarHeader(file));
    const bytes = await file.read();
    if (bytes.length !== file.size) throw new Error(`'${file.name}' changed while it was archived.`);
    yield* stored(bytes);
    yield* stored(new Uint8Array(paddingOf(file.size)));
  }
  yield* stored(new Uint8Array(2 * BLOCK));
  yield LAST_STORED;
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(check, 0);
  trailer.writeUInt32LE(total % 2 ** 32, 4);
  yield trailer;
}

function* storedBlocks(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += LARGEST_STORED) {
    const part = bytes.subarray(start, start + LARGEST_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & 0xffff, 3);
    yield head;
    yield part;
  }
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Whether a name fits into a plain header: the extensions for longer names are unknown to simple readers. */
export function fitsTar(name: string): boolean {
  return splitName(name) !== undefined;
}

/** The folders and the rest, as the two fields of a header hold them. */
function splitName(name: string): { readonly prefix: string; readonly rest: string } | undefined {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return { prefix: "", rest: name };
  for (let slash = name.indexOf("/"); slash !== -1; slash = name.indexOf("/", slash + 1)) {
    const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)];
    if (Buffer.byteLength(prefix) <= LONGEST_PREFIX && Buffer.byteLength(rest) <= LONGEST_NAME)
      return { prefix, rest };
  }
  return undefined;
}

/** A POSIX `ustar` header. */
function tarHeader({ name, size, executable }: TarFile): Uint8Array {
  const split = splitName(name);
  if (split === undefined) throw new Error(`'${name}' is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  };
  header.write(split.rest, 0);
  octal(executable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\0".concat("00"), 257);
  header.write(split.prefix, 345);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  header[154] = 0;
  return header;
}
