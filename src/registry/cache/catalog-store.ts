import fs from "node:fs";
import { readFile, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { shortHash } from "../../system/hash.ts";
import { replaceCacheFile } from "../../system/replace-file.ts";
import { type Pace, runPaced } from "../../system/time-slice.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import { LARGEST_CATALOG_FILE } from "./catalog-layout.ts";
import { type KeptRoot, parseCatalog } from "./read-catalog.ts";

/** Keeps what is known of roots between runs, a file for each. */
export interface CatalogStore {
  /** A root with fewer files is not kept. */
  readonly fewestFiles: number;
  readonly version: string;
  /** Undefined when there is nothing that can be used. */
  load<T>(key: string, format: HeadFormat<T>): Promise<KeptRoot<T> | undefined>;
  /** Never fails: without room or permission nothing is kept. */
  save(key: string, bytes: Uint8Array): Promise<void>;
}

export interface CacheOptions {
  readonly folder: string;
  /** Of the product: what another version kept is not used. */
  readonly version: string;
  readonly fewestFiles?: number;
}

export interface CatalogStoreOptions extends CacheOptions {
  readonly now: () => number;
  readonly pace: Pace;
}

/** That a file is used is noted this often, so that it is not taken for an old one. */
const NOTED_EVERY_MS = 24 * 60 * 60_000;

/** Fewer files than this are read as fast as what is kept of them. */
const FEWEST_FILES = 200;

export function createCatalogStore({
  folder,
  version,
  fewestFiles = FEWEST_FILES,
  now,
  pace,
}: CatalogStoreOptions): CatalogStore {
  const nameOf = (key: string): string => `catalog-${shortHash(key)}.bin`;
  let there: ReadonlySet<string> | undefined;

  return {
    fewestFiles,
    version,
    async load(key, format) {
      there ??= new Set(namesIn(folder));
      if (there.size === 0 || !there.has(nameOf(key))) return undefined;
      const file = path.join(folder, nameOf(key));
      try {
        const { size, mtimeMs } = await stat(file);
        if (size > LARGEST_CATALOG_FILE) return undefined;
        const bytes = await readFile(file);
        if (now() - mtimeMs > NOTED_EVERY_MS) void utimes(file, new Date(), new Date()).catch(() => {});
        return await runPaced(parseCatalog(bytes, format, version), pace);
      } catch {
        return undefined;
      }
    },
    async save(key, bytes) {
      try {
        await replaceCacheFile(path.join(folder, nameOf(key)), async () => [bytes], now());
      } catch {
        // The next start reads every file, as this one did.
      }
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
