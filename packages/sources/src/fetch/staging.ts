import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createProcessKey, parseProcessKey, processState } from "#util";

const PREFIX = "fetch-";

export interface Staging {
  /** An absolute real path of a new, empty folder. */
  readonly folder: string;
  dispose(): Promise<void>;
}

/** Makes a folder for one fetch, and removes those that killed processes have left. */
export async function openStaging(parent: string, staleMs: number): Promise<Staging> {
  await mkdir(parent, { recursive: true });
  const real = await realpath(parent);
  await removeLeftovers(real, staleMs);
  const folder = path.join(real, `${PREFIX}${createProcessKey()}`);
  await mkdir(folder, { mode: 0o700 });
  return { folder, dispose: () => remove(folder) };
}

async function removeLeftovers(parent: string, staleMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const key = name.startsWith(PREFIX) ? parseProcessKey(name.slice(PREFIX.length)) : undefined;
    if (key === undefined) continue;
    const folder = path.join(parent, name);
    const state = processState(key);
    const isLeft = state === "dead" || (state === "unknown" && (await ageOf(folder)) > staleMs);
    // Another process may be removing it as well; what stays is tried again next time.
    if (isLeft) await remove(folder).catch(() => {});
  }
}

async function ageOf(folder: string): Promise<number> {
  const stats = await stat(folder).catch(() => undefined);
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

/** A virus scanner or an ending process may hold a file for a moment. */
const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
