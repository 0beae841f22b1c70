import type { Stats } from "node:fs";
import { type Awaitable, type Disk, errorCode, whenReady } from "../../system/files/file-system.ts";
import { type Fingerprint, fingerprintOf, mayChangeUnseen } from "../../system/files/fingerprint.ts";
import { type Head, type HeadFormat, readHead, unreadableFile } from "./read-skill-file.ts";

/** The head of one file, and what the file was like when it was read. */
export interface CachedHead<T> {
  readonly head: Head<T>;
  /** Undefined when the file could not be opened. */
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
export function currentHead<T>(
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

/** The same text for the same content, also in another process; another one whenever the body may differ. */
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
