import type { LibraryFile, LibraryFiles } from "../catalog/library/build-library.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Location } from "../skill/skill.ts";
import { createFileCache } from "./file-cache.ts";
import { LIBRARY } from "./layouts.ts";
import {
  type LibraryCache,
  type LibraryFolder,
  type LibraryReading,
  libraryHeads,
  readLibraryFile,
} from "./read-library.ts";
import { tryWalk } from "./try-walk.ts";
import type { FoundFile } from "./walk.ts";
import { runQueue } from "./work-queue.ts";

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
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

const FILES_AT_ONCE = 16;

type OnFolder = (realDir: string) => void;

/** Returns a function that looks at the libraries. A second look reads only what changed. */
export function createLibraryScanner(options: {
  readonly libraries?: readonly LibraryRoot[];
  readonly strict: boolean;
  readonly now: () => number;
}): (onFolder?: OnFolder) => Promise<readonly ScannedLibrary[]> {
  const cache: LibraryCache = createFileCache(libraryHeads(options.strict), options.now);
  return async (onFolder) => {
    const scanned: ScannedLibrary[] = [];
    for (const root of options.libraries ?? []) scanned.push(await scanLibrary(root, cache, onFolder));
    cache.nextScan();
    return scanned;
  };
}

async function scanLibrary(
  { dir: given, locate, location, prefix, named }: LibraryRoot,
  cache: LibraryCache,
  onFolder: OnFolder | undefined,
): Promise<ScannedLibrary> {
  const dir = locate === undefined ? given : await locate();
  if (dir === undefined) return { ...NOTHING, prefix, awaited: [given] };
  const walk = await tryWalk(dir, LIBRARY, named ? [missing(dir)] : [], onFolder);
  const readings = await readAll(walk.files, { dir, realDir: walk.realDir, location }, cache);
  const files: LibraryFile[] = [];
  const revisions = new Map<LibraryFile, string>();
  for (const { file, revision = "" } of readings) {
    if (file === undefined) continue;
    files.push(file);
    revisions.set(file, revision);
  }
  return {
    prefix,
    files,
    revisions,
    diagnostics: [...walk.diagnostics, ...readings.flatMap((reading) => reading.diagnostics)],
    folders: walk.folders,
    awaited: [given, ...walk.awaited, ...readings.flatMap((reading) => reading.awaited)],
  };
}

const NOTHING = { files: [], revisions: new Map(), diagnostics: [], folders: new Set<string>() } as const;

async function readAll(
  found: readonly FoundFile[],
  library: LibraryFolder,
  cache: LibraryCache,
): Promise<readonly LibraryReading[]> {
  const read: (LibraryReading | undefined)[] = Array.from({ length: found.length });
  await runQueue(found.keys(), FILES_AT_ONCE, async (index) => {
    read[index] = await readLibraryFile(found[index] as FoundFile, library, cache);
  });
  return read.filter((reading) => reading !== undefined);
}

function missing(dir: string): Diagnostic {
  const message = "This library does not exist. Its skills are picked up when it appears.";
  return { severity: "warning", code: "root-missing", file: dir, message };
}
