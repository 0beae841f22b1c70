import fs, { type Stats } from "node:fs";
import { errorCode, lstat } from "../../system/file-system.ts";
import { type Identity, identityOf, mayChangeUnseen } from "../../system/fingerprint.ts";
import {
  HEAD_BYTES,
  type Head,
  type HeadFormat,
  type HeadRead,
  readHead,
  readHeadNow,
  unreadableFile,
} from "./read-skill-file.ts";

/** What is known of one file since it was last read. */
export interface FileRecord<T> {
  readonly head: Head<T>;
  /** Undefined when the file could not be opened. */
  readonly identity: Identity | undefined;
  /** When it was read, if it had changed so shortly before that a second change may carry the same time stamp. */
  readonly unsureSince: number | undefined;
}

/** Reads heads; what has not changed since it was read is not read again. */
export interface FileCache<T> {
  /** The very record that was known when the file is the same; undefined when the file is gone. */
  now(file: string, known: FileRecord<T> | undefined): FileRecord<T> | undefined;
  /** The same through the thread pool. */
  later(file: string, known: FileRecord<T> | undefined): Promise<FileRecord<T> | undefined>;
}

const OR_NOTHING = { throwIfNoEntry: false } as const;

export function createFileCache<T>(format: HeadFormat<T>, now: () => number): FileCache<T> {
  const scratch = Buffer.allocUnsafe(HEAD_BYTES);
  return {
    now(file, known) {
      if (canTrust(known)) {
        const stats = lstatNow(file);
        if (stats !== undefined && identityOf(stats) === known.identity) return known;
      }
      const startedAt = now();
      try {
        return keepIfEqual(recordOf(readHeadNow(file, format, scratch), startedAt), known, format);
      } catch (error) {
        return failedRecord(error);
      }
    },
    async later(file, known) {
      if (canTrust(known)) {
        const stats = await lstat(file).catch(() => undefined);
        if (stats !== undefined && identityOf(stats) === known.identity) return known;
      }
      const startedAt = now();
      try {
        return keepIfEqual(recordOf(await readHead(file, format), startedAt), known, format);
      } catch (error) {
        return failedRecord(error);
      }
    },
  };
}

/** The same for the same content, also in another process; another one whenever the body may differ. */
export function revisionOf({ identity, unsureSince }: FileRecord<unknown>): string {
  if (identity === undefined) return "";
  // While the clock cannot tell two changes apart, every reading is taken for a new one.
  const reading = unsureSince === undefined ? "" : `:read ${unsureSince}`;
  return `${identity.toString(36)}${reading}`;
}

/** Whether a record spares a later run the reading: what may have changed unseen, or has something to say, does not. */
export function isLasting<T>(
  record: FileRecord<T> | undefined,
): record is FileRecord<T> & { readonly head: { readonly ok: true }; readonly identity: Identity } {
  return canTrust(record) && record.head.ok && record.head.warnings.length === 0;
}

function canTrust<T>(
  known: FileRecord<T> | undefined,
): known is FileRecord<T> & { readonly identity: Identity } {
  return known?.identity !== undefined && known.unsureSince === undefined;
}

function lstatNow(file: string): Stats | undefined {
  try {
    return fs.lstatSync(file, OR_NOTHING);
  } catch {
    return undefined;
  }
}

function recordOf<T>({ head, stats }: HeadRead<T>, startedAt: number): FileRecord<T> {
  const unsureSince = mayChangeUnseen(stats, startedAt) ? startedAt : undefined;
  return { head, identity: identityOf(stats), unsureSince };
}

function failedRecord<T>(error: unknown): FileRecord<T> | undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  // Without an identity it is read again at the next scan: a permission may have been given by then.
  return { head: { ok: false, failure: unreadableFile(error) }, identity: undefined, unsureSince: undefined };
}

/** Re-read but the same: the old values stay, so that everything built of them stays too. */
function keepIfEqual<T>(
  fresh: FileRecord<T>,
  known: FileRecord<T> | undefined,
  format: HeadFormat<T>,
): FileRecord<T> {
  return known !== undefined && sameHead(fresh.head, known.head, format)
    ? { ...fresh, head: known.head }
    : fresh;
}

function sameHead<T>(a: Head<T>, b: Head<T>, format: HeadFormat<T>): boolean {
  return a.ok && b.ok && a.warnings.length + b.warnings.length === 0 && format.same(a.value, b.value);
}
