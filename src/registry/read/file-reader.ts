import { inTurn, type Steps } from "../../catalog/steps.ts";
import { type Pace, runPaced } from "../../system/time-slice.ts";
import type { FoundFile } from "../scan/folder-tree.ts";
import { workThrough } from "../scan/paced-queue.ts";
import { type RealFile, realFileLater, realFileNow } from "../scan/real-file.ts";
import type { Unsure } from "../scan/walk.ts";
import { type FileCache, type FileRecord, isLasting } from "./file-cache.ts";

/** Everything that the disk said of a found file. */
export interface FileFacts<T, Beside> {
  readonly real: RealFile;
  /** Undefined when the file is gone, or `real` leads to none. */
  readonly record: FileRecord<T> | undefined;
  readonly beside: Beside;
}

/** Every reading tells what it was made of. */
interface MadeOf<T> {
  readonly record: FileRecord<T> | undefined;
}

export interface FileReaderOptions<T, Beside, Reading extends MadeOf<T>> {
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

/** What is known of a file before it is asked for. */
interface Known<T, Reading> {
  readonly before: Reading | undefined;
  readonly record: FileRecord<T> | undefined;
}

const NOTHING: Known<never, never> = { before: undefined, record: undefined };

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

/** Reads the files of one root, and remembers them. */
export function createFileReader<T, Beside, Reading extends MadeOf<T>>({
  cache,
  pace,
  besideNow,
  besideLater,
  interpret,
}: FileReaderOptions<T, Beside, Reading>): FileReader<T, Reading> {
  let kept: Map<FoundFile, Reading> = new Map();
  let restored: ReadonlyMap<FoundFile, FileRecord<T>> | undefined;
  let lastFiles: readonly FoundFile[] = [];
  let lastReadings: readonly (Reading | undefined)[] = [];
  let count = 0;

  const knownOf = (found: FoundFile): Known<T, Reading> => {
    const before = kept.get(found);
    if (before === undefined && restored === undefined) return NOTHING;
    return { before, record: before === undefined ? restored?.get(found) : before.record };
  };
  const recordOf = (found: FoundFile): FileRecord<T> | undefined => knownOf(found).record;

  return {
    recordOf,
    restore(records) {
      restored = records;
    },
    readings: () => count,
    async read(files, unsure) {
      let isSame = files === lastFiles;
      // What a link leads to may have changed in a folder that is none of ours.
      const isUnsure = (found: FoundFile): boolean =>
        unsure === "all" || found.isLink || unsure.has(found) || !kept.has(found);
      const settle = (found: FoundFile, known: Known<T, Reading>, facts: FileFacts<T, Beside>): void => {
        if (facts.record !== known.record && isLasting(facts.record)) count++;
        const reading = interpret(found, facts, known.before);
        if (reading === known.before) return;
        isSame = false;
        if (reading === undefined) kept.delete(found);
        else kept.set(found, reading);
      };
      await workThrough(unsure === "all" ? files : files.filter(isUnsure), pace, {
        now(found) {
          const known = knownOf(found);
          const real = realFileNow(found);
          const record = real.ok ? cache.now(real.file, known.record) : undefined;
          settle(found, known, { real, record, beside: besideNow(found) });
          return 1;
        },
        async later(found) {
          const known = knownOf(found);
          const real = await realFileLater(found);
          const record = real.ok ? await cache.later(real.file, known.record) : undefined;
          settle(found, known, { real, record, beside: await besideLater(found) });
        },
      });
      restored = undefined;
      if (isSame) return { readings: lastReadings, isSame };
      const readings = await runPaced(readingsOf(files, kept), pace);
      // Before, there is nothing that could have gone.
      if (files !== lastFiles && lastFiles.length > 0)
        kept = await runPaced(onlyThese(files, readings), pace);
      lastFiles = files;
      lastReadings = readings;
      return { readings, isSame };
    },
  };
}

function* readingsOf<Reading>(
  files: readonly FoundFile[],
  kept: ReadonlyMap<FoundFile, Reading>,
): Steps<readonly (Reading | undefined)[]> {
  const readings: (Reading | undefined)[] = [];
  yield* inTurn(files, (found) => void readings.push(kept.get(found)));
  return readings;
}

function* onlyThese<Reading>(
  files: readonly FoundFile[],
  readings: readonly (Reading | undefined)[],
): Steps<Map<FoundFile, Reading>> {
  const some = new Map<FoundFile, Reading>();
  yield* inTurn(files, (found, index) => {
    const reading = readings[index];
    if (reading !== undefined) some.set(found, reading);
  });
  return some;
}
