import fs from "node:fs";
import { promisify } from "node:util";

/** The file calls of a scan. Promisified callbacks cost about half of `fs.promises` per call. */
export const readdir = promisify(fs.readdir) as (
  dir: string,
  options: { readonly withFileTypes: true },
) => Promise<fs.Dirent[]>;
const readNames = promisify(fs.readdir) as (dir: string) => Promise<string[]>;
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

export type Awaitable<T> = T | Promise<T>;

/** Passes a value on as soon as it is there. A value that is no promise is passed on at once, which saves a turn of the event loop. */
export function whenReady<T, Result>(
  value: Awaitable<T>,
  use: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

interface ListFailure {
  readonly failure: unknown;
}

/** The calls that a scan makes for every folder and file. */
export interface Disk {
  /** The stats of what a path leads to, links followed; undefined when nothing is there. */
  stat(file: string): Awaitable<fs.Stats | undefined>;
  list(dir: string): Awaitable<readonly fs.Dirent[] | ListFailure>;
  /** The names in a folder. Undefined when it is missing or cannot be listed. */
  names(dir: string): Awaitable<readonly string[] | undefined>;
  /** The stats of a path itself; undefined when it is missing or cannot be examined. */
  lstat(file: string): Awaitable<fs.Stats | undefined>;
  /** Both throw, or reject, where there is nothing to follow. */
  readlink(file: string): Awaitable<string>;
  realpath(file: string): Awaitable<string>;
  open(file: string): Awaitable<number>;
  read(fd: number, buffer: Buffer, from: number): Awaitable<number>;
}

/** Absent on Windows, where neither flag exists. */
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = fs.constants.O_NONBLOCK ?? 0;
const OPENING = fs.constants.O_RDONLY | NO_FOLLOW | NO_BLOCK;
const WITH_TYPES = { withFileTypes: true } as const;
const OR_UNDEFINED = { throwIfNoEntry: false } as const;

/** Every call through the thread pool, so that no disk can block the event loop. */
export const POOLED_DISK: Disk = {
  stat: (file) =>
    stat(file).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      return undefined;
    }),
  list: (dir) => readdir(dir, WITH_TYPES).catch((failure: unknown) => ({ failure })),
  names: (dir) => readNames(dir).catch(() => undefined),
  lstat: (file) => lstat(file).catch(() => undefined),
  readlink: (file) => readlink(file),
  realpath: (file) => realpath(file),
  open: (file) => open(file, OPENING),
  read: async (fd, buffer, from) => (await read(fd, buffer, from, buffer.length - from, from)).bytesRead,
};

const DIRECT_DISK: Disk = {
  stat: (file) => fs.statSync(file, OR_UNDEFINED),
  list(dir) {
    try {
      return fs.readdirSync(dir, WITH_TYPES);
    } catch (failure) {
      return { failure };
    }
  },
  names(dir) {
    try {
      return fs.readdirSync(dir);
    } catch {
      return undefined;
    }
  },
  lstat(file) {
    try {
      return fs.lstatSync(file, OR_UNDEFINED);
    } catch {
      return undefined;
    }
  },
  readlink: (file) => fs.readlinkSync(file),
  realpath: (file) => fs.realpathSync.native(file),
  open: (file) => fs.openSync(file, OPENING),
  read: (fd, buffer, from) => fs.readSync(fd, buffer, from, buffer.length - from, from),
};

/** Far above what a local disk takes for one file. */
const QUICK_CALL_MS = 0.5;
/** How much longer calls may take in all: the machine may only be busy. */
const GRACE_MS = 100;

/**
 * Calls without the thread pool, at about a third of the cost: for the first scan, which a client waits for. Through the pool it
 * takes a fifth longer with 100 skills and a third longer with 1,000. Once the disk turns out to be slow (a network mount, a cloud
 * folder), calls go through the pool.
 */
export function createDirectDisk(now: () => number): Disk {
  let disk = DIRECT_DISK;
  let lateMs = 0;
  function timed<T>(call: () => T): T {
    if (disk === POOLED_DISK) return call();
    const began = now();
    try {
      return call();
    } finally {
      lateMs = Math.max(0, lateMs + now() - began - QUICK_CALL_MS);
      if (lateMs > GRACE_MS) disk = POOLED_DISK;
    }
  }
  return {
    stat: (file) => timed(() => disk.stat(file)),
    // A folder of ten thousands takes its time on any disk.
    list: (dir) => disk.list(dir),
    names: (dir) => disk.names(dir),
    lstat: (file) => timed(() => disk.lstat(file)),
    readlink: (file) => timed(() => disk.readlink(file)),
    realpath: (file) => timed(() => disk.realpath(file)),
    open: (file) => timed(() => disk.open(file)),
    read: (fd, buffer, from) => timed(() => disk.read(fd, buffer, from)),
  };
}

export interface OpenedFile {
  readonly stats: fs.Stats;
  /** Reads from the start of the file: the bytes there are, at most `length`. They are read into `buffer`, if given. */
  readStart(length: number, buffer?: Buffer): Promise<Buffer>;
}

/**
 * Opens a file for one read. What it is gets checked on the open file, so nothing can be swapped between the check and
 * the read; a link in its place is refused, and a FIFO neither blocks nor is read.
 */
export async function withOpenFile<T>(
  file: string,
  use: (opened: OpenedFile) => T | Promise<T>,
  disk: Disk = POOLED_DISK,
): Promise<T> {
  const fd = await disk.open(file);
  try {
    // Neither fstat nor close waits for the disk.
    const stats = fs.fstatSync(fd);
    return await use({ stats, readStart: (length, buffer) => readStart(fd, length, disk, buffer) });
  } finally {
    fs.closeSync(fd);
  }
}

async function readStart(fd: number, length: number, disk: Disk, given?: Buffer): Promise<Buffer> {
  const buffer = given?.subarray(0, length) ?? Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = await disk.read(fd, buffer, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The system's code for a failed file call, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether there is something at a path, be it a link to nothing, or something may be there that cannot be looked at. */
export function mayExist(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== "ENOTDIR";
  }
}

/** A failed file call in words that a person can act on. */
export function describeError(error: unknown): string {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return "permission denied; check its owner and mode";
    case "EROFS":
      return "the file system is read-only";
    case "ENOENT":
      return "it does not exist";
    case "ELOOP":
      return "its symbolic links form a loop";
    case "ENAMETOOLONG":
      return "its path is too long";
    case "EMFILE":
    case "ENFILE":
      return "too many open files; the next refresh tries again";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
