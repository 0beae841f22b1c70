import fs from "node:fs";
import { promisify } from "node:util";

/**
 * The file calls of a scan. Callbacks made into promises cost about half of `fs.promises` per call, and a scan
 * makes tens of thousands of them.
 */
export const readdir = promisify(fs.readdir) as (
  dir: string,
  options: { readonly withFileTypes: true },
) => Promise<fs.Dirent[]>;
export const stat = promisify(fs.stat) as (file: string) => Promise<fs.Stats>;
export const lstat = promisify(fs.lstat) as (file: string) => Promise<fs.Stats>;
export const readlink = promisify(fs.readlink) as (file: string) => Promise<string>;
export const realpath = promisify(fs.realpath.native) as (file: string) => Promise<string>;
const open = promisify(fs.open) as (file: string, flags: number) => Promise<number>;
const read = promisify(fs.read) as (
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;

/** Absent on Windows, where neither flag exists. */
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = fs.constants.O_NONBLOCK ?? 0;
const OPENING = fs.constants.O_RDONLY | NO_FOLLOW | NO_BLOCK;

export interface OpenedFile {
  readonly stats: fs.Stats;
  /** Reads from the start of the file: the bytes there are, at most `length`. */
  readStart(length: number): Promise<Buffer>;
}

/**
 * Opens a file for one reading. It is opened once and asked afterwards what it is, so nothing can be swapped
 * between the check and the read; a link in its place is refused, and a FIFO neither blocks nor is read. With `quick`
 * it is opened and read synchronously (see pace.ts).
 */
export async function withOpenFile<T>(
  file: string,
  use: (opened: OpenedFile) => T | Promise<T>,
  { quick = false } = {},
): Promise<T> {
  const fd = quick ? fs.openSync(file, OPENING) : await open(file, OPENING);
  try {
    // Asking an open file what it is waits for nothing, and neither does closing it.
    const stats = fs.fstatSync(fd);
    return await use({ stats, readStart: (length) => readStart(fd, length, quick) });
  } finally {
    fs.closeSync(fd);
  }
}

/** Opens a file as `withOpenFile` does, synchronously; whoever opens it closes it. */
export function openNow(file: string): number {
  return fs.openSync(file, OPENING);
}

/** Fills a buffer from the start of an open file with at most `length` bytes, and answers with those that it has. */
export function readStartNow(fd: number, into: Buffer, length: number): Buffer {
  let filled = 0;
  while (filled < length) {
    const bytesRead = fs.readSync(fd, into, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === into.length ? into : into.subarray(0, filled);
}

async function readStart(fd: number, length: number, quick: boolean): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = quick
      ? fs.readSync(fd, buffer, filled, length - filled, filled)
      : (await read(fd, buffer, filled, length - filled, filled)).bytesRead;
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The system's code for a failed file call, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A failed file call in words that a person can act on. */
export function describeError(error: unknown): string {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return "permission is denied; check its owner and mode";
    case "ENOENT":
      return "it does not exist";
    case "ELOOP":
      return "its links form a loop";
    case "ENAMETOOLONG":
      return "its path is too long";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open; it is tried again at the next refresh";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
