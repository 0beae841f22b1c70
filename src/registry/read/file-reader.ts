import { type Awaitable, realpath, stat, whenReady } from "../../system/files/file-system.ts";
import { runQueue } from "../../system/tasks/work-queue.ts";
import { leadsNowhere, targetsOf } from "../scan/links.ts";
import { notAFile } from "../scan/scan-problems.ts";
import { below, type FoundFile, type ScanContext } from "../scan/traverse.ts";
import { type CachedHead, currentHead, isLasting } from "./head-cache.ts";
import type { FileFailure, HeadFormat } from "./read-skill-file.ts";

/** The path to open: for a linked file its target, which must be a regular file. */
type RealFile = { readonly awaited: readonly string[] } & (
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly failure: FileFailure }
);

/** What the disk says of a found file. */
export interface FileState<T> {
  readonly real: RealFile;
  /** Undefined when the file is gone, or `real` leads to none. */
  readonly cached: CachedHead<T> | undefined;
}

/** What was made of a file, and of what. */
export interface MadeOf<T> {
  readonly cached: CachedHead<T> | undefined;
}

export interface FileReaderOptions<T, Result extends MadeOf<T>> {
  readonly format: HeadFormat<T>;
  readonly now: () => number;
  /** Called when a file had to be read that a later run need not read. */
  readonly onRead: () => void;
  /** Makes something of a file; undefined when it is gone. `before` is what was made of it the last time. */
  readonly interpret: (
    found: FoundFile,
    state: FileState<T>,
    before: Result | undefined,
  ) => Awaitable<Result | undefined>;
}

type CachedHeads<T> = ReadonlyMap<string, CachedHead<T>>;

export interface FileReader<T, Result> {
  /** Reads found files, in order. The very same list when nothing differs from the last one. */
  read(
    files: readonly FoundFile[],
    context: ScanContext,
    restored: CachedHeads<T> | undefined,
  ): Promise<readonly Result[]>;
  /** The results by the paths that files are shown by. */
  byPath(): ReadonlyMap<string, Result>;
}

const FILES_AT_ONCE = 16;
const NOWHERE: readonly string[] = [];

/** Reads the files of one root; what has not changed since the last scan is not read again. */
export function createFileReader<T, Result extends MadeOf<T>>(
  options: FileReaderOptions<T, Result>,
): FileReader<T, Result> {
  const { format, now, onRead, interpret } = options;
  let last = new Map<string, Result>();
  let lastResults: readonly Result[] = [];

  async function read(
    files: readonly FoundFile[],
    { dirty, disk, slices }: ScanContext,
    restored: CachedHeads<T> | undefined,
  ): Promise<readonly Result[]> {
    const reading = { format, disk, now, buffers: [] };
    const shownFiles = files.map(({ dir, fileName }) => below(dir, fileName));
    const resultOf = (found: FoundFile, shown: string): Awaitable<Result | undefined> => {
      const before = last.get(shown);
      if (dirty !== undefined && isCurrent(found, before)) return before;
      const known = before === undefined ? restored?.get(shown) : before.cached;
      return whenReady(found.isLink ? followFile(found) : plainFile(found), (real) =>
        whenReady(real.ok ? currentHead(real.file, known, reading) : undefined, (cached) => {
          if (cached !== known && isLasting(cached)) onRead();
          return interpret(found, { real, cached }, before);
        }),
      );
    };
    const found: (Result | undefined)[] = Array.from({ length: files.length });
    const readOne = (index: number): Awaitable<void> =>
      whenReady(resultOf(files[index] as FoundFile, shownFiles[index] as string), (result) => {
        found[index] = result;
      });
    await runQueue(files.keys(), FILES_AT_ONCE, readOne, slices);
    await slices.yieldIfDue();
    last = definedOf(shownFiles, found);
    const results = [...last.values()];
    if (!sameItems(results, lastResults)) lastResults = results;
    return lastResults;
  }

  return { read, byPath: () => last };
}

/** Whether a file is the same link, or no link, as before: it may have moved into the place of a link to it. */
export function isSameTarget(
  before: { readonly awaited: readonly string[] } | undefined,
  real: RealFile,
): boolean {
  return before?.awaited[0] === real.awaited[0];
}

/** Where no folder changed, a file did not either; but what a link leads to may change in a folder that is not watched. */
function isCurrent(found: FoundFile, before: MadeOf<unknown> | undefined): boolean {
  return before?.cached?.fingerprint !== undefined && !found.isListed && !found.isLink;
}

function definedOf<Result>(keys: readonly string[], values: readonly (Result | undefined)[]) {
  const defined = new Map<string, Result>();
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (value !== undefined) defined.set(key, value);
  }
  return defined;
}

export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}

function plainFile({ realDir, fileName }: FoundFile): RealFile {
  return { ok: true, file: below(realDir, fileName), awaited: NOWHERE };
}

async function followFile({ realDir, fileName }: FoundFile): Promise<RealFile> {
  const file = below(realDir, fileName);
  try {
    const target = await realpath(file);
    if ((await stat(target)).isFile()) return { ok: true, file: target, awaited: [target] };
    return { ok: false, failure: notAFile(file, "a link to something else"), awaited: [target] };
  } catch (error) {
    const failure: FileFailure = { code: "broken-link", message: leadsNowhere(error) };
    return { ok: false, failure, awaited: await targetsOf(file) };
  }
}
