import type { Stats } from "node:fs";
import { errorCode, lstat } from "./file-system.ts";
import { createPace } from "./pace.ts";
import { type Head, type HeadFormat, readHead, unreadableFile } from "./read-skill-file.ts";

/** What is known of one file since the last scan. */
interface FileRecord<T, Made> {
  readonly head: Head<T>;
  readonly identity: FileIdentity;
  /** The same for the same content, also in another process; another one whenever the body may differ. */
  readonly revision: string;
  /** Changed so shortly before it was read that a second change may carry the same time stamp. */
  readonly mayHaveChangedSince: boolean;
  /** What was made of this head, so that an unchanged file gives the very same values. */
  readonly made: Made[];
}

interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly modified: number;
  readonly changed: number;
}

/** The coarsest clock of a common file system is FAT's: two seconds. */
const CLOCK_GRAIN_MS = 2_500;

/** Reads heads for one scan; what has not changed since the last one is not read again. */
export interface FileCache<T, Made> {
  /** Undefined when the file is gone. */
  head(file: string): Promise<{ head: Head<T>; made: Made[]; revision: string } | undefined>;
  /** Forgets files that were not asked for since the last call. */
  nextScan(): void;
}

export function createFileCache<T, Made>(format: HeadFormat<T>, now: () => number): FileCache<T, Made> {
  let known = new Map<string, FileRecord<T, Made>>();
  let seen = new Map<string, FileRecord<T, Made>>();

  const pace = createPace(() => performance.now());

  async function read(file: string): Promise<FileRecord<T, Made> | undefined> {
    await pace.rest();
    const startedAt = now();
    const began = performance.now();
    let stats: Stats | undefined;
    try {
      const onOpen = (opened: Stats): void => {
        stats = opened;
      };
      const head = await readHead(file, format, { quick: pace.isQuick(), onOpen });
      pace.took(performance.now() - began);
      return stats === undefined ? undefined : record(head, stats, startedAt);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      // Without an identity it is read again at the next scan: a permission may have been given by then.
      const head: Head<T> = { ok: false, failure: unreadableFile(error) };
      return { head, identity: NO_IDENTITY, revision: "", mayHaveChangedSince: true, made: [] };
    }
  }

  return {
    async head(file) {
      const old = known.get(file);
      const fresh =
        old !== undefined && (await isUnchanged(file, old))
          ? old
          : keepIfEqual(await read(file), old, format);
      if (fresh === undefined) return undefined;
      seen.set(file, fresh);
      return fresh;
    },
    nextScan() {
      known = seen;
      seen = new Map();
    },
  };
}

const NO_IDENTITY: FileIdentity = { device: 0, inode: 0, size: -1, modified: 0, changed: 0 };

function record<T, Made>(head: Head<T>, stats: Stats, startedAt: number): FileRecord<T, Made> {
  const mayHaveChangedSince = Math.max(stats.ctimeMs, stats.mtimeMs) > startedAt - CLOCK_GRAIN_MS;
  const identity = identityOf(stats);
  const { device, inode, size, modified, changed } = identity;
  // While the clock cannot tell two changes apart, every reading is taken for a new one.
  const reading = mayHaveChangedSince ? `:read ${startedAt}` : "";
  const revision = `${device}:${inode}:${size}:${modified}:${changed}${reading}`;
  return { head, identity, revision, mayHaveChangedSince, made: [] };
}

async function isUnchanged(file: string, old: FileRecord<unknown, unknown>): Promise<boolean> {
  if (old.mayHaveChangedSince) return false;
  try {
    const now = identityOf(await lstat(file));
    const was = old.identity;
    return (
      now.size === was.size &&
      now.modified === was.modified &&
      now.changed === was.changed &&
      now.inode === was.inode &&
      now.device === was.device
    );
  } catch {
    return false;
  }
}

/** Re-read but the same: the old values stay, so that everything built of them stays too. */
function keepIfEqual<T, Made>(
  fresh: FileRecord<T, Made> | undefined,
  old: FileRecord<T, Made> | undefined,
  format: HeadFormat<T>,
): FileRecord<T, Made> | undefined {
  if (fresh === undefined || old === undefined || !sameHead(fresh.head, old.head, format)) return fresh;
  return { ...fresh, head: old.head, made: old.made };
}

function sameHead<T>(a: Head<T>, b: Head<T>, format: HeadFormat<T>): boolean {
  return a.ok && b.ok && a.warnings.length + b.warnings.length === 0 && format.same(a.value, b.value);
}

function identityOf(stats: Stats): FileIdentity {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
  };
}
