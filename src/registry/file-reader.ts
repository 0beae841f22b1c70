import { type FileCache, type FileRecord, isLasting } from "./file-cache.ts";
import type { FoundFile } from "./folder-tree.ts";
import type { Pace } from "./pace.ts";
import { workThrough } from "./paced-queue.ts";
import { type RealFile, realFileLater, realFileNow } from "./real-file.ts";
import type { Unsure } from "./walk.ts";

/** Everything that the disk said of a found file. */
export interface FileFacts<T, Beside> {
  readonly real: RealFile;
  /** Undefined when the file is gone, or `real` leads to none. */
  readonly record: FileRecord<T> | undefined;
  readonly beside: Beside;
}

export interface FileReaderOptions<T, Beside, Reading> {
  readonly cache: FileCache<T>;
  readonly pace: Pace;
  /** What lies beside a file and matters to it. */
  readonly besideNow: (found: FoundFile) => Beside;
  readonly besideLater: (found: FoundFile) => Promise<Beside>;
  /** `before` is what was made of the same file the last time. */
  readonly interpret: (
    found: FoundFile,
    facts: FileFacts<T, Beside>,
    before: Reading | undefined,
  ) => Reading | undefined;
}

export interface FileReader<T, Reading> {
  /**
   * Reads found files, in order; those that are not unsure are as they were. `isSame` when every reading is the very one
   * of the last call, in the same order. Undefined stands for a file that is gone.
   */
  read(
    files: readonly FoundFile[],
    unsure: Unsure,
  ): Promise<{ readonly readings: readonly (Reading | undefined)[]; readonly isSame: boolean }>;
  /** What is known of a file. */
  recordOf(found: FoundFile): FileRecord<T> | undefined;
  /** Takes up what was known in an earlier run. */
  restore(records: ReadonlyMap<FoundFile, FileRecord<T>>): void;
  /** How often a file had to be read for want of what a run before could have kept. */
  readings(): number;
}

interface Kept<T, Reading> {
  readonly record: FileRecord<T> | undefined;
  readonly reading: Reading | undefined;
}

/** Reads the files of one root, and remembers them. */
export function createFileReader<T, Beside, Reading>({
  cache,
  pace,
  besideNow,
  besideLater,
  interpret,
}: FileReaderOptions<T, Beside, Reading>): FileReader<T, Reading> {
  let kept: Map<FoundFile, Kept<T, Reading>> = new Map();
  let lastFiles: readonly FoundFile[] = [];
  let lastReadings: readonly (Reading | undefined)[] = [];
  let count = 0;

  return {
    recordOf: (found) => kept.get(found)?.record,
    restore(records) {
      for (const [found, record] of records) kept.set(found, { record, reading: undefined });
    },
    readings: () => count,
    async read(files, unsure) {
      let isSame = files === lastFiles;
      const isUnsure = (found: FoundFile): boolean =>
        unsure === "all" || unsure.has(found) || !kept.has(found);
      const settle = (found: FoundFile, facts: FileFacts<T, Beside>): void => {
        const before = kept.get(found);
        const reading = interpret(found, facts, before?.reading);
        if (reading !== before?.reading) isSame = false;
        if (before?.record !== facts.record && isLasting(facts.record)) count++;
        if (before === undefined || before.record !== facts.record || before.reading !== reading)
          kept.set(found, { record: facts.record, reading });
      };
      await workThrough(unsure === "all" ? files : files.filter(isUnsure), pace, {
        now(found) {
          const real = realFileNow(found);
          const record = real.ok ? cache.now(real.file, kept.get(found)?.record) : undefined;
          settle(found, { real, record, beside: besideNow(found) });
        },
        async later(found) {
          const real = await realFileLater(found);
          const record = real.ok ? await cache.later(real.file, kept.get(found)?.record) : undefined;
          settle(found, { real, record, beside: await besideLater(found) });
        },
      });
      if (isSame) return { readings: lastReadings, isSame };
      if (files !== lastFiles) kept = onlyThese(files, kept);
      lastFiles = files;
      lastReadings = files.map((found) => kept.get(found)?.reading);
      return { readings: lastReadings, isSame };
    },
  };
}

function onlyThese<Value>(
  files: readonly FoundFile[],
  all: ReadonlyMap<FoundFile, Value>,
): Map<FoundFile, Value> {
  const some = new Map<FoundFile, Value>();
  for (const found of files) {
    const value = all.get(found);
    if (value !== undefined) some.set(found, value);
  }
  return some;
}
