import { type Pace, runPaced } from "../../system/time-slice.ts";
import type { FileReader } from "../read/file-reader.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import type { Walker } from "../scan/walk.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { catalogBytes } from "./write-catalog.ts";

/** Keeps what is remembered of one root between runs. */
export interface RootMemory {
  /** Takes up what an earlier run left; only once. */
  restore(): Promise<void>;
  /** Keeps what is known now, if that spares the next start much. */
  keep(files: number): Promise<void>;
}

export interface RootMemoryOptions<T> {
  readonly store: CatalogStore | undefined;
  /** What decides what is found below a root. */
  readonly key: string;
  readonly format: HeadFormat<T>;
  readonly walker: Walker;
  readonly reader: FileReader<T, unknown>;
  readonly pace: Pace;
  readonly now: () => number;
}

/** An edit must not cause a write of everything; the next start reads what is missing. */
const SHARE_THAT_COUNTS = 0.02;
const LEAST_MS_BETWEEN_SAVES = 60_000;

export function createRootMemory<T>(options: RootMemoryOptions<T>): RootMemory {
  const { store, key, format, walker, reader, pace, now } = options;
  let restored = false;
  let savedWork = 0;
  let savedAt = Number.NEGATIVE_INFINITY;
  const work = (): number => walker.listings() + reader.readings();
  return {
    async restore() {
      if (restored || store === undefined) return;
      restored = true;
      const kept = await store.load(key, format);
      if (kept === undefined) return;
      walker.restore(kept.starts);
      reader.restore(kept.records);
    },
    async keep(files) {
      if (store === undefined || files < store.fewestFiles) return;
      if (work() - savedWork <= files * SHARE_THAT_COUNTS || now() - savedAt < LEAST_MS_BETWEEN_SAVES) return;
      savedWork = work();
      savedAt = now();
      const bytes = await runPaced(
        catalogBytes(walker.starts(), reader.recordOf, format, store.version),
        pace,
      );
      if (bytes !== undefined) await store.save(key, bytes);
    },
  };
}
