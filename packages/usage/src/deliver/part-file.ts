import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { createProcessKey, type ProcessKey, parseProcessKey } from "#util";
import { chunksOf, endTornLine, writeAll } from "../record/event-file.ts";

/** A private file of events, named for the process that owns it, and how much of it is done. */
export interface Part {
  readonly file: string;
  readonly from: number;
}

const PREFIX = "analytics-buffer.";
const SUFFIX = ".part";
const NEWLINE = 0x0a;

export function newPartFile(folder: string): string {
  return path.join(folder, `${PREFIX}${createProcessKey()}${SUFFIX}`);
}

export function ownerOf(fileName: string): ProcessKey | undefined {
  if (!fileName.startsWith(PREFIX) || !fileName.endsWith(SUFFIX)) return undefined;
  return parseProcessKey(fileName.slice(PREFIX.length, -SUFFIX.length));
}

/** A private file whose events are in the log of a fleet, and where; it is removed when they are delivered. */
export interface SentFile {
  readonly file: string;
  readonly epoch: string;
  readonly last: string;
}

const SENT_PREFIX = "analytics-sent.";
const SENT = /^(.+)~([0-9a-z.]*)~(\d+-\d+)$/;

export function newSentFile(folder: string, { epoch, last }: Omit<SentFile, "file">): string {
  return path.join(folder, `${SENT_PREFIX}${createProcessKey()}~${epoch}~${last}${SUFFIX}`);
}

export function parseSentFile(file: string): (SentFile & { readonly owner: ProcessKey }) | undefined {
  const name = path.basename(file);
  if (!name.startsWith(SENT_PREFIX) || !name.endsWith(SUFFIX)) return undefined;
  const [, key = "", epoch = "", last = ""] = SENT.exec(name.slice(SENT_PREFIX.length, -SUFFIX.length)) ?? [];
  const owner = parseProcessKey(key);
  return owner === undefined ? undefined : { file, epoch, last, owner };
}

export function ownerOfSent(fileName: string): ProcessKey | undefined {
  return parseSentFile(fileName)?.owner;
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
  const sink = await open(target, "a+", 0o600);
  try {
    await endTornLine(sink);
    for await (const chunk of chunksOf(file, from)) await writeAll(sink, chunk);
    await sink.datasync();
  } finally {
    await sink.close();
  }
}

/** Where the newest `keepBytes` of a file begin, at a line start, and how many lines come before. */
export async function newestPart(file: string, keepBytes: number): Promise<{ from: number; lines: number }> {
  const { size } = await stat(file);
  let lines = 0;
  let start = 0;
  for await (const chunk of chunksOf(file, 0)) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      lines++;
      const from = start + at + 1;
      if (size - from <= keepBytes) return { from, lines };
    }
    start += chunk.length;
  }
  return { from: size, lines };
}
