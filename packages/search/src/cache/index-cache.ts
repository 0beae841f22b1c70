import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { replaceCacheFile, sha256 } from "#util";
import type { IndexCache } from "../search-engine.ts";
import { formatIndexFile, hasFingerprints, parseIndexFile, tellsFingerprints } from "./index-file.ts";

/** Fewer skills than this are indexed faster than a file is read. */
const FEWEST_SKILLS = 500;
/** An edit must not cause a write of the whole index; the next start compares every fingerprint anyway. */
const LEAST_MS_BETWEEN_SAVES = 60_000;
const READ_AT_ONCE = 1024 * 1024;

export interface IndexCacheOptions {
  readonly folder: string;
  /** What decides which skills are seen: another view has another file. */
  readonly view: string;
  readonly now: () => number;
}

export function createIndexCache({ folder, view, now }: IndexCacheOptions): IndexCache {
  const name = sha256(view).toString("hex").slice(0, 16);
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
    async has(fingerprints) {
      try {
        return await hasFingerprints(await readBeginning(file), fingerprints);
      } catch {
        return false;
      }
    },
    async save(indexed) {
      if (indexed.index.size < FEWEST_SKILLS || now() - lastSave < LEAST_MS_BETWEEN_SAVES) return;
      lastSave = now();
      await replaceCacheFile(file, () => formatIndexFile(indexed), now());
    },
  };
}

/** An index file as far as its fingerprints go: a small part of it. */
async function readBeginning(file: string): Promise<Buffer> {
  const handle = await open(file);
  let beginning = Buffer.alloc(0);
  // Ends with the loop, and closes the file.
  for await (const chunk of handle.createReadStream({ highWaterMark: READ_AT_ONCE })) {
    beginning = Buffer.concat([beginning, chunk as Buffer]);
    if (tellsFingerprints(beginning)) break;
  }
  return beginning;
}
