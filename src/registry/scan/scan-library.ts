import type { LibraryFile, LibraryFiles } from "../../catalog/library/build-library.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../../skill/library-front-matter.ts";
import type { Location } from "../../skill/skill.ts";
import { POOLED_DISK } from "../../system/files/file-system.ts";
import { createTimeSlices } from "../../system/tasks/time-slice.ts";
import { type CacheOptions, createRootCache } from "../cache/catalog-cache.ts";
import { createFileReader, type ReadFiles } from "../read/file-reader.ts";
import { fingerprintText } from "../read/head-cache.ts";
import { type LibraryResult, libraryHeads, libraryResult } from "../read/library-result.ts";
import { LIBRARY } from "../roots/layouts.ts";
import { scanFolder } from "./scan-folder.ts";
import { createTraverse, type ScanContext, type Traverse } from "./traverse.ts";

/** A folder of keyword-routed Markdown. */
export interface LibraryRoot {
  /** What is watched for: the library itself, or what leads to it. */
  readonly dir: string;
  /** Where the library is at this moment, asked once for each scan; `dir` when absent. */
  readonly locate?: () => Promise<string | undefined>;
  readonly location: Location;
  /** What the paths of its skills begin with; empty for a single library. */
  readonly prefix: string;
  /** The user named the folder, so a missing one is reported. */
  readonly named: boolean;
}

export interface ScannedLibrary extends LibraryFiles {
  /** Another value means that the text of the file may differ. */
  readonly fingerprints: ReadonlyMap<LibraryFile, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

export interface LibraryScanOptions {
  readonly libraries?: readonly LibraryRoot[];
  readonly strict: boolean;
  readonly now: () => number;
  readonly cache?: CacheOptions;
}

/** Returns a function that scans the libraries. A second scan reads only what changed. */
export function createLibraryScanner(
  options: LibraryScanOptions,
): (context?: ScanContext) => Promise<readonly ScannedLibrary[]> {
  const scanners = (options.libraries ?? []).map((root) => createRootScanner(root, options));
  return async (context = { disk: POOLED_DISK, slices: createTimeSlices() }) => {
    const scanned: ScannedLibrary[] = [];
    for (const scan of scanners) scanned.push(await scan(context));
    return scanned;
  };
}

/** What belongs to one place of a library; a new version of a Git library lies elsewhere. */
interface Place {
  readonly folder: { readonly dir: string; realDir: string; readonly location: Location };
  readonly traverse: Traverse;
  readonly readFiles: ReadFiles<LibraryResult>;
}

function placeAt(rootDir: string, location: Location, options: LibraryScanOptions): Place {
  const { strict, now, cache } = options;
  const kind = strict ? "strict library" : "library";
  const folder = { dir: rootDir, realDir: rootDir, location };
  const readFiles = createFileReader<LibraryFrontMatter, LibraryResult>({
    format: libraryHeads(strict),
    now,
    cache: cache && createRootCache({ ...cache, rootDir, kind, now }),
    interpret: (found, state, before) => libraryResult(found, folder, state, before),
  });
  return { folder, traverse: createTraverse(rootDir, LIBRARY), readFiles };
}

function createRootScanner(
  { dir: given, locate, location, prefix, named }: LibraryRoot,
  options: LibraryScanOptions,
): (context: ScanContext) => Promise<ScannedLibrary> {
  let place: Place | undefined;
  return async (context) => {
    const dir = locate === undefined ? given : await locate();
    if (dir === undefined) return { ...NOTHING, prefix, awaited: [given] };
    if (place?.folder.dir !== dir) place = placeAt(dir, location, options);
    const traversal = await scanFolder(dir, place.traverse, named ? [missing(dir)] : [], context);
    place.folder.realDir = traversal.realDir;
    const results = await place.readFiles(traversal.files, context);
    return {
      prefix,
      ...filesOf(results),
      diagnostics: [...traversal.diagnostics, ...results.flatMap(({ diagnostics }) => diagnostics)],
      folders: traversal.folders,
      awaited: [given, ...traversal.awaited, ...results.flatMap(({ awaited }) => awaited)],
    };
  };
}

function filesOf(results: readonly LibraryResult[]) {
  const files: LibraryFile[] = [];
  const fingerprints = new Map<LibraryFile, string>();
  for (const { file, cached } of results) {
    if (file === undefined || cached === undefined) continue;
    files.push(file);
    fingerprints.set(file, fingerprintText(cached));
  }
  return { files, fingerprints };
}

const NOTHING = { files: [], fingerprints: new Map(), diagnostics: [], folders: new Set<string>() } as const;

function missing(dir: string): Diagnostic {
  const message = "This library does not exist. Its skills are picked up when it appears.";
  return { severity: "warning", code: "root-missing", file: dir, message };
}
