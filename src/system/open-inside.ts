import fs from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../skill/refusal.ts";

/** A file of a library, as the front matter names it; `label` is what messages call it. */
export interface LibraryPath {
  /** The folder that holds it, absolute. */
  readonly folder: string;
  readonly file: string;
  /** The library, after every link is resolved. */
  readonly root: string;
  readonly label: string;
}

interface BoundedFile {
  readonly bytes: Buffer;
  readonly size: number;
}

/** The bytes of a file that really lies in the library, if it is not too large. */
export function readInside(wanted: LibraryPath, maxBytes: number): Promise<BoundedFile> {
  return withFileInside(wanted, async (handle, { size }) => {
    if (size > maxBytes) throw tooLarge(wanted, size, maxBytes);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), size: filled };
  });
}

export function sizeInside(wanted: LibraryPath): Promise<number> {
  return withFileInside(wanted, async (_handle, { size }) => size);
}

/**
 * Opens a file once and asks afterwards what it is and where it lies, so that nothing swapped in between can lead out
 * of the library; a FIFO or a device is never waited for.
 */
async function withFileInside<T>(
  wanted: LibraryPath,
  use: (handle: FileHandle, stats: fs.Stats) => Promise<T>,
): Promise<T> {
  const target = await locateInside(wanted);
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
  const handle = await open(target, flags).catch((error: unknown) => {
    throw refusalFor(wanted, error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile(wanted);
    if (!(await liesInside(handle.fd, stats, target, wanted.root))) throw outside(wanted);
    return await use(handle, stats);
  } finally {
    await handle.close();
  }
}

/** Where a file of the library really lies. */
export async function locateInside(wanted: LibraryPath): Promise<string> {
  try {
    const target = await realpath(path.join(wanted.folder, wanted.file));
    if (!isBelow(wanted.root, target)) throw outside(wanted);
    if (!(await stat(target)).isFile()) throw notAFile(wanted);
    return target;
  } catch (error) {
    throw error instanceof Refusal ? error : refusalFor(wanted, error);
  }
}

/** Where the opened file lies now: Linux says so of the descriptor itself, elsewhere the path must still lead to it. */
async function liesInside(fd: number, opened: fs.Stats, target: string, root: string): Promise<boolean> {
  if (process.platform === "linux") {
    const place = await fs.promises.readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
    if (place !== undefined) return isBelow(root, place);
  }
  const real = await realpath(target).catch(() => "");
  if (!isBelow(root, real)) return false;
  const now = await stat(real).catch(() => undefined);
  return now !== undefined && now.ino === opened.ino && now.dev === opened.dev;
}

function isBelow(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function refusalFor({ label }: LibraryPath, error: unknown): Refusal {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new Refusal(
      `${label} is declared in the front matter but the file does not exist. Add the file, or take the entry out.`,
      { code: "library", reason: "missing-file" },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  // The system's message names the path on the server, which is no business of a client's.
  const why = typeof code === "string" ? code : reason;
  return new Refusal(`${label} cannot be read (${why}).`, { code: "library", reason: "unreadable" });
}

function outside({ label }: LibraryPath): Refusal {
  return new Refusal(`${label} leads out of the library through a link, so it is not served.`, {
    code: "library",
    reason: "outside-library",
  });
}

function notAFile({ label }: LibraryPath): Refusal {
  return new Refusal(`${label} is not a regular file.`, { code: "library", reason: "unreadable" });
}

function tooLarge({ label }: LibraryPath, size: number, maxBytes: number): Refusal {
  return new Refusal(
    `${label} has ${size} bytes, over the limit of ${maxBytes} bytes (assets.max_size_bytes).`,
    { code: "library", reason: "too-large" },
  );
}
