import { link, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { isGone, type Owner, ownerOf, partName } from "./owner.ts";
import { appendPiece, copyPiece, identityOf, isStillAt, newestPart, type Piece } from "./piece.ts";

/**
 * The events that could not be delivered yet, shared by all servers of this user. Nobody appends to the file and nobody
 * locks it: it is taken whole by renaming it to a private name, and put back by linking a private file to its name. Of
 * several processes one succeeds, and a killed one leaves a private file behind that the others adopt.
 */
export interface BufferFile {
  /** Takes the shared file and what gone processes left. The files are this process's own from now on. */
  claim(): Promise<Claimed>;
  /** Makes what is left the shared file again. Returns the files that the disk did not let it merge. */
  putBack(rest: readonly Piece[]): Promise<readonly string[]>;
  /** Shows processes that cannot see this one that it is alive. */
  touch(files: readonly string[]): Promise<void>;
}

export interface Claimed {
  readonly files: readonly string[];
  /** True when gone processes left so much that it is better dealt with in parts. */
  readonly more: boolean;
}

export interface BufferFileOptions {
  readonly folder: string;
  readonly owner: Owner;
  readonly maxBytes: number;
  readonly now: () => number;
  /** So many events were dropped, because there is room for newer ones only. */
  readonly onDropped: (count: number) => void;
}

/** Every failed try means that another process put its events there first; they cannot go on for ever. */
const TRIES = 50;
/**
 * A server that is started and killed over and over leaves a file each time. One that lives only for a moment must get
 * some of them out of the way, instead of dying over all of them.
 */
const MOST_ADOPTED = 32;
/** Link is not known to every file system. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

export function createBufferFile(options: BufferFileOptions): BufferFile {
  const { folder, owner, maxBytes, now, onDropped } = options;
  const shared = path.join(folder, "analytics-buffer.jsonl");
  const newPart = (): string => path.join(folder, partName(owner));

  /** Undefined when another process was first, when there is nothing, or when nothing here can be changed. */
  async function take(file: string): Promise<string | undefined> {
    const own = newPart();
    // Before it changes its name: under its new one it must never look abandoned.
    await touch([file]);
    return rename(file, own).then(
      () => own,
      () => undefined,
    );
  }

  async function touch(files: readonly string[]): Promise<void> {
    const time = new Date(now());
    await Promise.all(files.map((file) => utimes(file, time, time).catch(() => {})));
  }

  async function* abandoned(): AsyncGenerator<string, void, void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const from = ownerOf(name);
      if (from === undefined) continue;
      const file = path.join(folder, name);
      const seen = await stat(file).catch(() => undefined);
      if (seen !== undefined && (await isGone(from, owner, now() - seen.mtimeMs))) yield file;
    }
  }

  /** False when the disk is full: the piece then stays where it is. Repeats are merged by their ids when they are sent. */
  async function mergeInto(file: string, piece: Piece): Promise<boolean> {
    try {
      const isSame = (await identityOf(file)) === (await identityOf(piece.file));
      if (!isSame) await appendPiece(piece, file);
      await rm(piece.file, { force: true });
      return true;
    } catch {
      return !(await isThere(piece.file));
    }
  }

  /** A copy of the rest of a piece. Without room for it the whole piece stays: its head is sent again. */
  async function withoutHead(piece: Piece): Promise<string> {
    const copy = newPart();
    try {
      await appendPiece(piece, copy);
      await rm(piece.file, { force: true });
      return copy;
    } catch {
      await rm(copy, { force: true }).catch(() => {});
      return piece.file;
    }
  }

  async function keepWithinLimit(file: string): Promise<string> {
    if ((await sizeOf(file)) <= maxBytes) return file;
    // Less than there is room for, so that not every flush copies the file.
    const { from, lines } = await newestPart(file, Math.floor(maxBytes * 0.875));
    const kept = await withoutHead({ file, from });
    if (kept !== file) onDropped(lines);
    return kept;
  }

  /** True when the file became the shared one. False: there is one already. */
  async function share(file: string): Promise<boolean> {
    try {
      await link(file, shared);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (!NO_LINKS.has(codeOf(error))) throw error;
      return copyToShared(file);
    }
  }

  async function copyToShared(file: string): Promise<boolean> {
    try {
      const target = await open(shared, "wx+", 0o600);
      try {
        await copyPiece({ file, from: 0 }, target);
        // Taken by another process while it was written: nobody knows how much of it that process saw.
        return await isStillAt(shared, target);
      } finally {
        await target.close();
      }
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  }

  return {
    async claim() {
      const files: string[] = [];
      const seen = new Set<string>();
      const adopt = async (file: string): Promise<void> => {
        const own = await take(file);
        const identity = own === undefined ? undefined : await identityOf(own).catch(() => undefined);
        if (own === undefined || identity === undefined) return;
        if (seen.has(identity)) await rm(own, { force: true });
        else files.push(own);
        seen.add(identity);
      };
      await adopt(shared);
      for await (const file of abandoned()) {
        if (files.length > MOST_ADOPTED) return { files, more: true };
        await adopt(file);
      }
      return { files, more: false };
    },
    async putBack(rest) {
      const there = await Promise.all(rest.map(({ file }) => isThere(file)));
      const [first, ...others] = rest.filter((_, index) => there[index]);
      if (first === undefined) return [];
      let file = first.from === 0 ? first.file : await withoutHead(first);
      const unmerged = new Set<string>();
      const merge = async (piece: Piece): Promise<void> => {
        unmerged.add(piece.file);
        if (await mergeInto(file, piece)) unmerged.delete(piece.file);
      };
      try {
        for (const piece of others) await merge(piece);
        for (let left = TRIES; left > 0; left--) {
          file = await keepWithinLimit(file);
          if (await share(file)) {
            await rm(file, { force: true });
            return [...unmerged];
          }
          const other = await take(shared);
          if (other === undefined) continue;
          unmerged.add(other);
          // What is larger is older, too.
          const smaller = (await sizeOf(other)) >= (await sizeOf(file)) ? file : other;
          file = smaller === file ? other : file;
          unmerged.delete(file);
          await merge({ file: smaller, from: 0 });
        }
      } catch {
        // Private files are as safe as the shared one: the next flush tries again, and other processes adopt them.
      }
      return [...unmerged, file];
    },
    touch,
  };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
