import fs from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { platform } from "../platform/this-platform.ts";
import { isHidden } from "../pure/hidden-file.ts";
import { errorCode } from "./file-system.ts";
import { isInside } from "./paths.ts";

/** A file that must lie below a root, with no hidden name on the way from its folder. Both are real paths. */
export interface InsidePath {
  readonly root: string;
  /** The folder that the file is named in; the root when absent. */
  readonly folder?: string;
  /** Absolute, or relative to the folder. */
  readonly file: string;
  /** One file outside of the root that may be opened all the same. */
  readonly except?: string | undefined;
  /** True: names that start with a dot are allowed. Never set for anything that is served. */
  readonly hidden?: boolean;
}

export type NotOpenedReason = "missing" | "outside" | "hidden" | "not-a-file" | "too-large" | "unreadable";

/** Why a file was not opened. The caller knows its name and adds it to the message. */
export class NotOpened extends Error {
  readonly reason: NotOpenedReason;
  /** The size of a file that is too large. */
  readonly size: number | undefined;

  constructor(reason: NotOpenedReason, { cause, size }: { cause?: unknown; size?: number } = {}) {
    super(`The file was not opened: ${reason}.`, { cause });
    this.name = "NotOpened";
    this.reason = reason;
    this.size = size;
  }
}

interface InsideFile {
  readonly handle: FileHandle;
  readonly stats: fs.Stats;
  /** Where the open file really lies. */
  readonly place: string;
}

/**
 * Opens a file once, then checks on the open file what it is and where it lies, so that nothing swapped in between can
 * lead out of the root. Hidden files are refused, also behind a visible link; a FIFO or a device is never waited for.
 */
export async function withFileInside<T>(
  wanted: InsidePath,
  use: (opened: InsideFile) => Promise<T>,
): Promise<T> {
  const target = await locateInside(wanted);
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
  const handle = await open(target, flags).catch((error: unknown) => {
    throw notOpened(error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new NotOpened("not-a-file");
    const place = await placeOf(handle.fd, stats, target);
    refuseOutside(place, wanted);
    return await use({ handle, stats, place: place ?? target });
  } finally {
    await handle.close();
  }
}

/** The bytes of a file, unless it is larger than `maxBytes`. */
export async function readInside(wanted: InsidePath, maxBytes: number): Promise<Buffer> {
  return (await readPlaceInside(wanted, maxBytes)).bytes;
}

/** Reads like `readInside`, and also returns the real path of what was read. */
export function readPlaceInside(
  wanted: InsidePath,
  maxBytes: number,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  return withFileInside(wanted, async ({ handle, stats: { size }, place }) => {
    if (size > maxBytes) throw new NotOpened("too-large", { size });
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { path: place, bytes: bytes.subarray(0, filled) };
  });
}

/**
 * The beginning of a file and its size, at a fraction of the cost and without yielding to others: for a command that has
 * nothing else to do. The path must have no link left in it. Undefined where the system does not know the place of an
 * open file; `withFileInside` works everywhere.
 */
export function readStartDirectly(
  wanted: InsidePath,
  maxBytes: number,
): { readonly bytes: Buffer; readonly size: number } | undefined {
  const { linkOfOpen } = platform.files;
  if (linkOfOpen(0) === undefined) return undefined;
  const flags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
  const fd = fs.openSync(wanted.file, flags);
  try {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) throw new NotOpened("not-a-file");
    refuseOutside(fs.readlinkSync(linkOfOpen(fd) ?? ""), wanted);
    const bytes = Buffer.allocUnsafe(Math.min(stats.size, maxBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const more = fs.readSync(fd, bytes, filled, bytes.length - filled, filled);
      if (more === 0) break;
      filled += more;
    }
    return { bytes: bytes.subarray(0, filled), size: stats.size };
  } finally {
    fs.closeSync(fd);
  }
}

/** The real path of a file, which must be a regular one. */
async function locateInside(wanted: InsidePath): Promise<string> {
  const { root, folder = root, file, except, hidden = false } = wanted;
  const asked = path.resolve(folder, file);
  if (!hidden && asked !== except && isHidden(path.relative(folder, asked))) throw new NotOpened("hidden");
  try {
    const target = await realpath(asked);
    refuseOutside(target, wanted);
    if (!(await stat(target)).isFile()) throw new NotOpened("not-a-file");
    return target;
  } catch (error) {
    throw error instanceof NotOpened ? error : notOpened(error);
  }
}

function refuseOutside(place: string | undefined, wanted: InsidePath): void {
  const { root, folder = root, except, hidden = false } = wanted;
  if (place !== undefined && place === except) return;
  if (place === undefined || !isInside(root, place)) throw new NotOpened("outside");
  const start = isInside(folder, place) ? folder : root;
  if (!hidden && isHidden(path.relative(start, place))) throw new NotOpened("hidden");
}

/** Where the open file lies: some systems know it of the descriptor, on others the path must still lead to the same inode. */
async function placeOf(fd: number, opened: fs.Stats, target: string): Promise<string | undefined> {
  const link = platform.files.linkOfOpen(fd);
  const place = link && (await fs.promises.readlink(link).catch(() => undefined));
  if (place !== undefined) return place;
  const real = await realpath(target).catch(() => undefined);
  const now = real === undefined ? undefined : await stat(real).catch(() => undefined);
  return now !== undefined && now.ino === opened.ino && now.dev === opened.dev ? real : undefined;
}

function notOpened(error: unknown): NotOpened {
  const code = errorCode(error);
  return new NotOpened(code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable", { cause: error });
}
