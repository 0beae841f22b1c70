import { link, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { type ProcessKey, type ProcessState, processState } from "#util";
import {
  appendPart,
  inodeOf,
  newestPart,
  newPartFile,
  ownerOf,
  ownerOfSent,
  type Part,
} from "./part-file.ts";

export interface Claimed {
  readonly files: readonly string[];
  /** True when dead processes left more files than one claim takes. */
  readonly more: boolean;
}

export interface BufferFileOptions {
  readonly folder: string;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Called with the number of events that were dropped to make room for newer ones. */
  readonly onDropped: (count: number) => void;
  /** Whether files that wait for their delivery by replicas are taken too. */
  readonly adoptSent?: boolean;
  readonly stateOf?: (owner: ProcessKey) => ProcessState;
}

const SHARED = "analytics-buffer.jsonl";
/** Every owner updates the times of its files at each flush. One of unknown state counts as dead after this time. */
const ABANDONED_MS = 10 * 60_000;
/** A failed try means that another process put its events there first, which ends sooner or later. */
const TRIES = 50;
/** A server that is killed again and again leaves a file each time. A short-lived process must finish some of them. */
const MOST_ADOPTED = 32;

export type BufferFile = ReturnType<typeof createBufferFile>;

/**
 * The undelivered events, shared by all servers of this user. The shared file is never appended to or locked: a process
 * takes it whole by renaming it to a private name, and puts it back by linking a private file to the shared name.
 * Of several processes one succeeds, and a killed one leaves a private file that the others adopt.
 */
export function createBufferFile(options: BufferFileOptions) {
  const { folder, now } = options;
  const shared = path.join(folder, SHARED);

  return {
    /** Takes the shared file and the files of dead processes. They belong to this process from now on. */
    async claim(): Promise<Claimed> {
      const files: string[] = [];
      const seen = new Set<string>();
      const adopt = async (file: string): Promise<void> => {
        const own = await take(file, options);
        const inode = own === undefined ? undefined : await inodeOf(own).catch(() => undefined);
        if (own === undefined || inode === undefined) return;
        if (seen.has(inode)) await rm(own, { force: true });
        else files.push(own);
        seen.add(inode);
      };
      await adopt(shared);
      for await (const file of abandonedFiles(options)) {
        if (files.length > MOST_ADOPTED) return { files, more: true };
        await adopt(file);
      }
      return { files, more: false };
    },
    /** Makes what is left the shared file again. Returns the files that the disk did not let it merge. */
    async putBack(rest: readonly Part[]): Promise<readonly string[]> {
      const there = await Promise.all(rest.map(({ file }) => exists(file)));
      const [first, ...others] = rest.filter((_, index) => there[index]);
      if (first === undefined) return [];
      const file = first.from === 0 ? first.file : await withoutHead(first, folder);
      const unmerged = new Set<string>();
      for (const part of others) await merge(part, file, unmerged);
      return share(file, unmerged, options);
    },
    touch: (files: readonly string[]): Promise<void> => touch(files, now()),
  };
}

/** Shows processes on other machines and in other containers that this one is alive. */
async function touch(files: readonly string[], now: number): Promise<void> {
  const time = new Date(now);
  await Promise.all(files.map((file) => utimes(file, time, time).catch(() => {})));
}

/** Undefined when another process was first, when there is no such file, or when the folder is read-only. */
async function take(file: string, { folder, now }: BufferFileOptions): Promise<string | undefined> {
  const own = newPartFile(folder);
  // Before the rename: under its new name it must never look abandoned.
  await touch([file], now());
  return rename(file, own).then(
    () => own,
    () => undefined,
  );
}

/** Gives a file the shared name, merging it with what other processes put there first. */
async function share(
  first: string,
  unmerged: Set<string>,
  options: BufferFileOptions,
): Promise<readonly string[]> {
  const shared = path.join(options.folder, SHARED);
  let file = first;
  try {
    for (let left = TRIES; left > 0; left--) {
      file = await enforceLimit(file, options);
      try {
        await link(file, shared);
        await rm(file, { force: true });
        return [...unmerged];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const other = await take(shared, options);
      if (other === undefined) continue;
      unmerged.add(other);
      // The larger one is the older one.
      const [older, newer] = (await sizeOf(other)) >= (await sizeOf(file)) ? [other, file] : [file, other];
      file = older;
      unmerged.delete(older);
      await merge({ file: newer, from: 0 }, older, unmerged);
    }
  } catch {
    // Private files are as safe as the shared one: the next flush tries again, and other processes adopt them.
  }
  return [...unmerged, file];
}

async function enforceLimit(
  file: string,
  { folder, maxBytes, onDropped }: BufferFileOptions,
): Promise<string> {
  if ((await sizeOf(file)) <= maxBytes) return file;
  // Below the limit, so that not every flush copies the file.
  const { from, lines } = await newestPart(file, Math.floor(maxBytes * 0.875));
  const newest = await withoutHead({ file, from }, folder);
  if (newest !== file) onDropped(lines);
  return newest;
}

async function* abandonedFiles(options: BufferFileOptions): AsyncGenerator<string, void, void> {
  const { folder, now, adoptSent = false, stateOf = processState } = options;
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = ownerOf(name) ?? (adoptSent ? ownerOfSent(name) : undefined);
    if (owner === undefined) continue;
    const file = path.join(folder, name);
    const state = stateOf(owner);
    const found = state === "alive" ? undefined : await stat(file).catch(() => undefined);
    if (found !== undefined && (state === "dead" || now() - found.mtimeMs > ABANDONED_MS)) yield file;
  }
}

/** Moves a part to the end of a file. On a full disk it stays where it is; repeats are recognised by their ids. */
async function merge(part: Part, file: string, unmerged: Set<string>): Promise<void> {
  unmerged.add(part.file);
  try {
    if ((await inodeOf(file)) !== (await inodeOf(part.file))) await appendPart(part, file);
    await rm(part.file, { force: true });
    unmerged.delete(part.file);
  } catch {
    if (!(await exists(part.file))) unmerged.delete(part.file);
  }
}

/** A copy of the rest of a part. Without room for it, the whole part stays and its head is sent again. */
async function withoutHead(part: Part, folder: string): Promise<string> {
  const copy = newPartFile(folder);
  try {
    await appendPart(part, copy);
    await rm(part.file, { force: true });
    return copy;
  } catch {
    await rm(copy, { force: true }).catch(() => {});
    return part.file;
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
