import type { Stats } from "node:fs";
import {
  type Awaitable,
  type Disk,
  errorCode,
  type Fingerprint,
  fingerprintOf,
  mayChangeUnseen,
  realpath,
  runQueue,
  stat,
  whenReady,
} from "#util";
import { leadsNowhere, targetsOf } from "../scan/links.ts";
import { below } from "../scan/listing.ts";
import { type FoundFile, notAFile } from "../scan/scan-state.ts";
import type { ScanContext } from "../scan/traverse.ts";
import { type FileFailure, type Head, type HeadFormat, readHead, unreadableFile } from "./read-skill-file.ts";

/** The path to open: for a linked file its target, which must be a regular file. */
type RealFile = { readonly awaited: readonly string[] } & (
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly failure: FileFailure }
);

/** What the disk says of a found file. */
export interface FileState<T> {
  readonly real: RealFile;
  /** The head that was read; undefined when the file is gone, or `real` leads to none. */
  readonly cached: CachedHead<T> | undefined;
}

/** What every result of reading a file has: the head that it was made of. */
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
  const isLinked = found.isLink || found.settings === "link";
  return before?.cached?.fingerprint !== undefined && !found.isListed && !isLinked;
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

/** The head of one file, and what the file was like when it was read. */
export interface CachedHead<T> {
  readonly head: Head<T>;
  /** The fingerprint of the file when it was read; undefined when it could not be opened. */
  readonly fingerprint: Fingerprint | undefined;
  /** When it was read, if it had changed so shortly before that a second change may carry the same time stamp. */
  readonly unsureSince: number | undefined;
}

interface HeadReading<T> {
  readonly format: HeadFormat<T>;
  readonly disk: Disk;
  readonly now: () => number;
  readonly buffers: Buffer[];
}

/** The very same value when the file has not changed; undefined when the file is gone. */
function currentHead<T>(
  file: string,
  cached: CachedHead<T> | undefined,
  reading: HeadReading<T>,
): Awaitable<CachedHead<T> | undefined> {
  if (!isCertain(cached)) return readAgain(file, cached, reading);
  return whenReady(reading.disk.lstat(file), (stats) =>
    stats !== undefined && fingerprintOf(stats) === cached.fingerprint
      ? cached
      : readAgain(file, cached, reading),
  );
}

async function readAgain<T>(
  file: string,
  cached: CachedHead<T> | undefined,
  { format, disk, now, buffers }: HeadReading<T>,
): Promise<CachedHead<T> | undefined> {
  const startedAt = now();
  try {
    const { head, stats } = await readHead(file, format, { disk, buffers });
    const isSame = cached !== undefined && sameHead(head, cached.head, format);
    // Read again but equal: the old value stays, so that everything built from it stays too.
    return cachedHead(isSame ? cached.head : head, stats, startedAt);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    // Without a fingerprint it is read again at the next scan: a permission may have been given by then.
    const head = { ok: false, failure: unreadableFile(error) } as const;
    return { head, fingerprint: undefined, unsureSince: undefined };
  }
}

function cachedHead<T>(head: Head<T>, stats: Stats, startedAt: number): CachedHead<T> {
  const unsureSince = mayChangeUnseen(stats, startedAt) ? startedAt : undefined;
  return { head, fingerprint: fingerprintOf(stats), unsureSince };
}

/** A text that is equal for equal content, also in another process, and differs whenever the body may differ. */
export function fingerprintText({ fingerprint, unsureSince }: CachedHead<unknown>): string {
  if (fingerprint === undefined) return "";
  // While the clock cannot tell two changes apart, every read counts as a change.
  return unsureSince === undefined ? String(fingerprint) : `${fingerprint}:read ${unsureSince}`;
}

/** Whether a later run can use it: not what may have changed unseen, nor what has a problem to report. */
export function isLasting<T>(
  cached: CachedHead<T> | undefined,
): cached is CachedHead<T> & { readonly head: { readonly ok: true }; readonly fingerprint: Fingerprint } {
  return isCertain(cached) && cached.head.ok && cached.head.warnings.length === 0;
}

function isCertain<T>(
  cached: CachedHead<T> | undefined,
): cached is CachedHead<T> & { readonly fingerprint: Fingerprint } {
  return cached?.fingerprint !== undefined && cached.unsureSince === undefined;
}

function sameHead<T>(a: Head<T>, b: Head<T>, format: HeadFormat<T>): boolean {
  return a.ok && b.ok && a.warnings.length + b.warnings.length === 0 && format.same(a.value, b.value);
}
