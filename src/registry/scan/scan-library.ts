import type { LibraryFile, LibraryFiles } from "../../catalog/library/build-library.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../../skill/library-front-matter.ts";
import type { Location } from "../../skill/skill.ts";
import { monotonicMs } from "../../system/clock.ts";
import { createPace, type Pace } from "../../system/time-slice.ts";
import type { CatalogStore } from "../cache/catalog-store.ts";
import { createRootMemory, type RootMemory } from "../cache/root-memory.ts";
import { createFileCache, type FileCache, revisionOf } from "../read/file-cache.ts";
import { createFileReader, type FileFacts, type FileReader } from "../read/file-reader.ts";
import {
  type Companion,
  companionLater,
  companionNow,
  type LibraryReading,
  libraryHeads,
  readLibraryFile,
} from "../read/read-library.ts";
import type { HeadFormat } from "../read/read-skill-file.ts";
import { LIBRARY } from "../roots/layouts.ts";
import { tryWalk } from "./try-walk.ts";
import { createWalker, type Walk, type Walker, type WalkLook } from "./walk.ts";

/** A folder of keyword-routed Markdown. */
export interface LibraryRoot {
  /** What is watched for: the library itself, or what leads to it. */
  readonly dir: string;
  /** Where the library is at this moment, asked once for each look; `dir` when absent. */
  readonly locate?: () => Promise<string | undefined>;
  readonly location: Location;
  /** What the paths of its skills begin with; empty for a single library. */
  readonly prefix: string;
  /** Someone named the folder, so that it is missing is worth a line. */
  readonly named: boolean;
}

export interface ScannedLibrary extends LibraryFiles {
  /** What each file was like: another value means that its text may differ. */
  readonly revisions: ReadonlyMap<LibraryFile, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: () => ReadonlySet<string>;
  readonly awaited: readonly string[];
}

export interface LibraryScanOptions {
  readonly libraries?: readonly LibraryRoot[];
  readonly strict: boolean;
  readonly now: () => number;
}

/** Returns a function that looks at the libraries. A second look reads only what changed. */
export function createLibraryScanner(
  options: LibraryScanOptions,
  pace: Pace = createPace(monotonicMs),
  store?: CatalogStore,
): (look?: WalkLook) => Promise<readonly ScannedLibrary[]> {
  const { strict, now } = options;
  const format = libraryHeads(strict);
  const shared = { format, cache: createFileCache(format, now), strict, store, now, pace };
  const scanners = (options.libraries ?? []).map((root) => createRootScanner(root, shared));
  return async (look = { remember: false }) => {
    const scanned: ScannedLibrary[] = [];
    for (const scan of scanners) scanned.push(await scan(look));
    return scanned;
  };
}

interface Shared {
  readonly format: HeadFormat<LibraryFrontMatter>;
  readonly cache: FileCache<LibraryFrontMatter>;
  readonly strict: boolean;
  readonly store: CatalogStore | undefined;
  readonly now: () => number;
  readonly pace: Pace;
}

interface Place {
  readonly memory: RootMemory;
  readonly walker: Walker;
  readonly reader: FileReader<LibraryFrontMatter, LibraryReading>;
  readonly folder: { dir: string; realDir: string; location: Location };
}

function createRootScanner(
  { dir: given, locate, location, prefix, named }: LibraryRoot,
  { format, cache, strict, store, now, pace }: Shared,
): (look: WalkLook) => Promise<ScannedLibrary> {
  let place: Place | undefined;

  function placeAt(dir: string): Place {
    const folder = { dir, realDir: dir, location };
    const reader = createFileReader({
      cache,
      pace,
      besideNow: companionNow,
      besideLater: companionLater,
      interpret: (found, facts: FileFacts<LibraryFrontMatter, Companion>, before?: LibraryReading) =>
        readLibraryFile(found, folder, facts, before),
    });
    const walker = createWalker({ rootDir: dir, layout: LIBRARY, pace, now });
    const key = JSON.stringify(["library", strict, dir]);
    const memory = createRootMemory({ store, key, format, walker, reader, pace, now });
    return { memory, walker, reader, folder };
  }

  return async (look) => {
    const dir = locate === undefined ? given : await locate();
    if (dir === undefined) return { ...NOTHING, prefix, awaited: [given] };
    if (place?.folder.dir !== dir) place = placeAt(dir);
    const { memory, walker, reader, folder } = place;
    await memory.restore();
    const { walk, unsure } = await tryWalk(dir, walker, pace, named ? [missing(dir)] : [], look);
    folder.realDir = walk.realDir;
    const { readings } = await reader.read(walk.files, unsure);
    if (look.remember) await memory.keep(walk.files.length);
    return { prefix, ...gathered(readings), ...withWalk(given, walk, readings) };
  };
}

function gathered(readings: readonly (LibraryReading | undefined)[]) {
  const files: LibraryFile[] = [];
  const revisions = new Map<LibraryFile, string>();
  for (const reading of readings) {
    if (reading?.file === undefined || reading.record === undefined) continue;
    files.push(reading.file);
    revisions.set(reading.file, revisionOf(reading.record));
  }
  return { files, revisions };
}

function withWalk(given: string, walk: Walk, readings: readonly (LibraryReading | undefined)[]) {
  return {
    diagnostics: [...walk.diagnostics, ...readings.flatMap((reading) => reading?.diagnostics ?? [])],
    folders: walk.folders,
    awaited: [given, ...walk.awaited, ...readings.flatMap((reading) => reading?.awaited ?? [])],
  };
}

const NOTHING = {
  files: [],
  revisions: new Map(),
  diagnostics: [],
  folders: () => new Set<string>(),
} as const;

function missing(dir: string): Diagnostic {
  const message = "This library does not exist. Its skills are picked up when it appears.";
  return { severity: "warning", code: "root-missing", file: dir, message };
}
