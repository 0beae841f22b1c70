import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { createProcessKey, type ProcessKey, parseProcessKey } from "../../system/processes/process-key.ts";
import { endTornLine, writeAll } from "../record/event-file.ts";

/** A private file of events, named for the process that owns it, and how much of it is done. */
export interface Part {
  readonly file: string;
  readonly from: number;
}

const PREFIX = "analytics-buffer.";
const SUFFIX = ".part";
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/** A new name for a private file of this process. */
export function newPartFile(folder: string): string {
  return path.join(folder, `${PREFIX}${createProcessKey()}${SUFFIX}`);
}

export function ownerOf(fileName: string): ProcessKey | undefined {
  if (!fileName.startsWith(PREFIX) || !fileName.endsWith(SUFFIX)) return undefined;
  return parseProcessKey(fileName.slice(PREFIX.length, -SUFFIX.length));
}

/**
 * The same for all names of one file: a process that was killed between link and unlink leaves two. As big integers,
 * because inode numbers on Windows exceed the exact range of a number.
 */
export async function inodeOf(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** False when the open file has been renamed or removed. */
export async function isStillAt(file: string, handle: FileHandle): Promise<boolean> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return (await inodeOf(file).catch(() => undefined)) === `${dev}:${ino}`;
}

/** Appends what is left of a part to a file, and waits until it is on the disk. */
export async function appendPart({ file, from }: Part, target: string): Promise<void> {
  const source = await open(file, "r");
  const sink = await open(target, "a+", 0o600).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    await endTornLine(sink);
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = from; ; ) {
      const { bytesRead } = await source.read(chunk, 0, CHUNK, at);
      if (bytesRead === 0) break;
      await writeAll(sink, chunk.subarray(0, bytesRead));
      at += bytesRead;
    }
    await sink.datasync();
  } finally {
    await Promise.all([source.close(), sink.close()]);
  }
}

/** Where the newest `keepBytes` of a file begin, at a line start, and how many lines come before. */
export async function newestPart(file: string, keepBytes: number): Promise<{ from: number; lines: number }> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const chunk = Buffer.allocUnsafe(CHUNK);
    let lines = 0;
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK, at);
      if (bytesRead === 0) return { from: size, lines };
      for (let index = 0; index < bytesRead; index++) {
        if (chunk[index] !== NEWLINE) continue;
        lines++;
        const end = at + index + 1;
        if (size - end <= keepBytes) return { from: end, lines };
      }
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
