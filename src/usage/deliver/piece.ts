import { type FileHandle, open, stat } from "node:fs/promises";
import { endTornLine, writeAll } from "../record/append-lines.ts";

/** A file of events that this process owns, and how much of it is already dealt with. */
export interface Piece {
  readonly file: string;
  readonly from: number;
}

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The same for all names of one file: a process that was killed between linking and unlinking leaves two. From big
 * integers, because on Windows the numbers of files are longer than a plain number is exact.
 */
export async function identityOf(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** False when a file has another name by now, or none. */
export async function isStillAt(file: string, handle: FileHandle): Promise<boolean> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return (await identityOf(file).catch(() => undefined)) === `${dev}:${ino}`;
}

/** Copies what is left of a piece to the end of a file, and waits until the disk has it. */
export async function appendPiece(piece: Piece, target: string): Promise<void> {
  const sink = await open(target, "a+", 0o600);
  try {
    await copyPiece(piece, sink);
  } finally {
    await sink.close();
  }
}

export async function copyPiece({ file, from }: Piece, sink: FileHandle): Promise<void> {
  const source = await open(file, "r");
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
    await source.close();
  }
}

/** Where the newest `keepBytes` of a file begin, at a line, and how many lines come before. */
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
