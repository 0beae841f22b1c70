import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
/** No event is this long: more bytes without a line end are garbage, and are returned in pieces. */
const LONGEST_LINE = 1024 * 1024;

export interface EventLine {
  readonly text: string;
  /** Byte offsets of this line and of the next one. */
  readonly start: number;
  readonly end: number;
}

/** Reads the lines of a file from `from` to its current end, a chunk at a time. The last one may be torn. */
export async function* readLines(file: string, from = 0): AsyncGenerator<readonly EventLine[], void, void> {
  let start = from;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(file, from)) {
    const bytes = Buffer.concat([carried, chunk]);
    const lines: EventLine[] = [];
    let used = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, used)) {
      lines.push({ text: bytes.toString("utf8", used, at), start: start + used, end: start + at + 1 });
      used = at + 1;
    }
    if (bytes.length - used > LONGEST_LINE) {
      lines.push({ text: bytes.toString("utf8", used), start: start + used, end: start + bytes.length });
      used = bytes.length;
    }
    if (lines.length > 0) yield lines;
    start += used;
    carried = bytes.subarray(used);
  }
  if (carried.length > 0) yield [{ text: carried.toString("utf8"), start, end: start + carried.length }];
}

export function chunksOf(file: string, from: number): AsyncIterable<Buffer> {
  return createReadStream(file, { start: from });
}

/** Undefined for a line that a killed process or a full disk cut off, and for garbage. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

export const toBytes = (lines: readonly string[]): Buffer =>
  Buffer.from(lines.map((line) => `${line}\n`).join(""));

/** Appends on a line of its own: a failed or killed write may have left the file in the middle of one. */
export async function appendBytes(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await endTornLine(handle);
  await writeAll(handle, bytes);
}

export async function endTornLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  if (last[0] !== NEWLINE) await writeAll(handle, Buffer.from("\n"));
}

/** A nearly full disk accepts a part of a write without an error. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error("the disk accepted no data"), { code: "ENOSPC" });
    written += bytesWritten;
  }
}
