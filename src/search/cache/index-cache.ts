import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { replaceCacheFile } from "../../system/files/cache-file.ts";
import type { IndexCache } from "../current-index.ts";
import { formatIndexFile, parseIndexFile } from "./index-file.ts";

/** Fewer skills than this are indexed faster than a file is read. */
const FEWEST_SKILLS = 500;
/** An edit must not cause a write of the whole index; the next start compares every fingerprint anyway. */
const LEAST_MS_BETWEEN_SAVES = 60_000;

export interface IndexCacheOptions {
  readonly folder: string;
  /** What decides which skills are seen: another view has another file. */
  readonly view: string;
  readonly now: () => number;
}

export function createIndexCache({ folder, view, now }: IndexCacheOptions): IndexCache {
  const name = createHash("sha256").update(view).digest("hex").slice(0, 16);
  const file = path.join(folder, `search-${name}.idx`);
  let lastSave = Number.NEGATIVE_INFINITY;

  return {
    async load(table) {
      try {
        return await parseIndexFile(await readFile(file), table);
      } catch {
        return undefined;
      }
    },
    async save(indexed) {
      if (indexed.index.size < FEWEST_SKILLS || now() - lastSave < LEAST_MS_BETWEEN_SAVES) return;
      lastSave = now();
      await replaceCacheFile(file, () => formatIndexFile(indexed), now());
    },
  };
}
