import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { runQueue } from "#util";

/** A file to write, whose path has been checked. */
export interface FileToWrite {
  /** Relative, with `/`. */
  readonly path: string;
  readonly isExecutable: boolean;
  read(): Buffer | Promise<Buffer>;
}

const WRITES_AT_ONCE = 8;

/** Of a file's mode only "may be run" is kept, by its owner's bit: no setuid, no secret or read-only files. */
export const modeOf = (isExecutable: boolean): number => (isExecutable ? 0o755 : 0o644);

/** Writes new files below a folder; one that exists already is an error. */
export async function writeFiles(
  folder: string,
  files: readonly FileToWrite[],
  signal?: AbortSignal,
): Promise<void> {
  const folders = new Set(files.map((file) => path.dirname(path.join(folder, file.path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  await runAll(files, WRITES_AT_ONCE, async (file) => {
    signal?.throwIfAborted();
    const content = await file.read();
    await writeFile(path.join(folder, file.path), content, { flag: "wx", mode: modeOf(file.isExecutable) });
  });
}

/**
 * Runs work for each item, some at a time. After a failure no more is started, and the first error is thrown only when
 * everything that runs has ended: nothing is written to a folder that the caller removes.
 */
export async function runAll<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await runQueue(items, width, async (item) => {
    if (failures.length > 0) return;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}
