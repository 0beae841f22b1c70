import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

const NEWLINE = 0x0a;
/** No event is this long: more bytes without a line end are garbage, and are returned in pieces. */
const LONGEST_LINE = 1024 * 1024;

export interface StoredLine {
  readonly text: string;
  /** The byte after the line and its line end. */
  readonly end: number;
}

/** Reads the lines of a file up to its current end, a chunk at a time. The last one may be torn. */
export async function* readLines(file: string): AsyncGenerator<readonly StoredLine[], void, void> {
  let start = 0;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([carried, chunk]);
    const lines: StoredLine[] = [];
    let used = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, used)) {
      lines.push({ text: bytes.toString("utf8", used, at), end: start + at + 1 });
      used = at + 1;
    }
    if (bytes.length - used > LONGEST_LINE) {
      lines.push({ text: bytes.toString("utf8", used), end: start + bytes.length });
      used = bytes.length;
    }
    if (lines.length > 0) yield lines;
    start += used;
    carried = bytes.subarray(used);
  }
  if (carried.length > 0) yield [{ text: carried.toString("utf8"), end: start + carried.length }];
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

/** Appends on a line of its own: a failed or killed write may have left the file in the middle of one. */
export async function appendLines(handle: FileHandle, lines: readonly string[]): Promise<void> {
  await endTornLine(handle);
  await writeAll(handle, Buffer.from(lines.map((line) => `${line}\n`).join("")));
}

/** Appends a file, from a byte on, to another one, and waits until it is on the disk. */
export async function appendFile(file: string, from: number, target: string): Promise<void> {
  const sink = await open(target, "a+", 0o600);
  try {
    await endTornLine(sink);
    for await (const chunk of createReadStream(file, { start: from }) as AsyncIterable<Buffer>)
      await writeAll(sink, chunk);
    await sink.datasync();
  } finally {
    await sink.close();
  }
}

async function endTornLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  if (last[0] !== NEWLINE) await writeAll(handle, Buffer.from("\n"));
}

/** A nearly full disk accepts a part of a write without an error. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error("the disk accepted no data"), { code: "ENOSPC" });
    written += bytesWritten;
  }
}

/** Where the newest `keepBytes` of a file begin, at a line start, and how many lines come before. */
export async function newestLines(
  file: string,
  keepBytes: number,
): Promise<{ readonly from: number; readonly skipped: number }> {
  const { size } = await stat(file);
  let skipped = 0;
  for await (const lines of readLines(file)) {
    for (const { end } of lines) {
      skipped++;
      if (size - end <= keepBytes) return { from: end, skipped };
    }
  }
  return { from: size, skipped };
}
