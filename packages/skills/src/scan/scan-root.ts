import { type Awaitable, type Disk, errorCode } from "#util";
import { createFileReader, type FileState, type MadeOf } from "../read/file-reader.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { type CachedRoot, type CacheOptions, createRootCache } from "./catalog-cache.ts";
import { type FolderLayout } from "./listing.ts";
import { type FoundFile, rootNotAFolder, unreadableFolder } from "./scan-state.ts";
import { createTraverse, type ScanContext, type Traversal } from "./traverse.ts";

interface RootScanOptions<T, Result extends MadeOf<T>> {
  readonly rootDir: string;
  readonly layout: FolderLayout;
  /** The user named it, by itself or with what led to it. */
  readonly named: boolean;
  /** The real folder that no link may lead out of. */
  readonly within?: string | undefined;
  readonly format: HeadFormat<T>;
  /** What else decides what is made of the files: another kind has another cache. */
  readonly kind: string;
  readonly cache: CacheOptions | undefined;
  readonly now: () => number;
  /** What to report of a root that does not exist. */
  readonly ifMissing: readonly Diagnostic[];
  /** Chooses the files to read from those that were found. */
  readonly choose: (files: readonly FoundFile[]) => {
    readonly chosen: readonly FoundFile[];
    readonly diagnostics: readonly Diagnostic[];
  };
  /** See `FileReaderOptions`; `realDir` is the real path of the root. */
  readonly interpret: (
    found: FoundFile,
    state: FileState<T>,
    before: Result | undefined,
    realDir: string,
  ) => Awaitable<Result | undefined>;
}

/** What one scan found below one root. */
interface RootScan<Result> {
  readonly traversal: Traversal;
  /** The very same list when nothing differs from the last scan. */
  readonly results: readonly Result[];
  /** What `choose` reported. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns a function that scans one root. A second scan, also in a later run, reads only what changed. */
export function createRootScanner<T, Result extends MadeOf<T>>(
  options: RootScanOptions<T, Result>,
): (context: ScanContext) => Promise<RootScan<Result>> {
  const { rootDir, layout, named, within, format, kind, now, ifMissing, choose, interpret } = options;
  const cache = options.cache && createRootCache<T>({ ...options.cache, rootDir, kind, now });
  const traverse = createTraverse(rootDir, { layout, named, within, now });
  let realDir = rootDir;
  const reader = createFileReader<T, Result>({
    format,
    now,
    onRead: () => cache?.noteRead(),
    interpret: (found, state, before) => interpret(found, state, before, realDir),
  });
  let isFirst = true;
  return async (context) => {
    let restored: CachedRoot<T> | undefined;
    const traversal = await orNothing(rootDir, context.disk, ifMissing, async () => {
      restored = await cache?.load();
      return traverse(context, restored?.folders);
    });
    realDir = traversal.realDir;
    const { chosen, diagnostics } = choose(traversal.files);
    const results = await reader.read(chosen, context, restored?.heads);
    // Someone waits for the first scan, and it may be the only one.
    if (!isFirst) await cache?.save(traversal.cached, reader.byPath());
    isFirst = false;
    return { traversal, results, diagnostics };
  };
}

/** A root that is missing, a file or unreadable reports it and leaves the others alone. */
async function orNothing(
  rootDir: string,
  disk: Disk,
  ifMissing: readonly Diagnostic[],
  traverse: () => Promise<Traversal>,
): Promise<Traversal> {
  try {
    // Most roots do not exist.
    const stats = await disk.stat(rootDir);
    if (stats === undefined) return nothingIn(rootDir, ifMissing);
    return stats.isDirectory() ? await traverse() : nothingIn(rootDir, [rootNotAFolder(rootDir)]);
  } catch (error) {
    const code = errorCode(error);
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    return nothingIn(rootDir, isMissing ? ifMissing : [unreadableFolder(rootDir, error)]);
  }
}

function nothingIn(realDir: string, diagnostics: readonly Diagnostic[]): Traversal {
  const empty = { folders: new Set<string>(), withFiles: new Set<string>(), cached: new Map() };
  return { ...empty, files: [], outside: [], settings: [], awaited: [], listing: 0, realDir, diagnostics };
}
