import { createTimeSlices, POOLED_DISK } from "#util";
import type { LibraryFile, LibraryFiles } from "../library/build-library.ts";
import { fingerprintText } from "../read/file-reader.ts";
import { type LibraryResult, libraryHeads, libraryResult } from "../read/library-result.ts";
import { LIBRARY } from "../roots/layouts.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { LibraryFrontMatter } from "../skill/library-front-matter.ts";
import type { ReadingRules } from "../skill/parse-skill.ts";
import type { Location } from "../skill/skill.ts";
import { below } from "./cached-folders.ts";
import type { CacheOptions } from "./catalog-cache.ts";
import { createRootScanner } from "./scan-root.ts";
import type { ScanContext } from "./traverse.ts";

/** A folder of keyword-routed Markdown. */
export interface LibraryRoot {
  /** What is watched for: the library itself, or what leads to it. */
  readonly dir: string;
  /** Where the library is at this moment, asked once for each scan; `dir` when absent. */
  readonly locate?: () => Promise<LocatedLibrary | undefined>;
  readonly location: Location;
  /** What the paths of its skills begin with; empty for a single library. */
  readonly prefix: string;
  /** The user named the folder, so a missing one is reported. */
  readonly named: boolean;
  /** The address of the repository that it comes from; absent for a folder. */
  readonly repo?: string;
}

/** Where a library is at one moment. */
export interface LocatedLibrary {
  readonly dir: string;
  /** The files that are its skills, absolute, where others lie among them. Absent: every file claims to be one. */
  readonly files?: ReadonlySet<string>;
}

export interface ScannedLibrary extends LibraryFiles {
  /** The address of the repository that it comes from; absent for a folder. */
  readonly repo?: string;
  /** Another value means that the text of the file may differ. */
  readonly fingerprints: ReadonlyMap<LibraryFile, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

export interface LibraryScanOptions {
  readonly libraries?: readonly LibraryRoot[];
  readonly reading?: ReadingRules;
  readonly now: () => number;
  readonly cache?: CacheOptions;
}

/** Returns a function that scans the libraries. A second scan reads only what changed. */
export function createLibraryScanner(
  options: LibraryScanOptions,
): (context?: ScanContext) => Promise<readonly ScannedLibrary[]> {
  const scanners = (options.libraries ?? []).map((root) => createOneLibraryScanner(root, options));
  return async (context = { disk: POOLED_DISK, slices: createTimeSlices() }) => {
    const scanned: ScannedLibrary[] = [];
    for (const scan of scanners) scanned.push(await scan(context));
    return scanned;
  };
}

function createPlaceScanner(
  { dir: rootDir, files: only }: LocatedLibrary,
  { location, named }: LibraryRoot,
  { reading, now, cache }: LibraryScanOptions,
) {
  const strict = reading?.strict === true;
  const scan = createRootScanner<LibraryFrontMatter, LibraryResult>({
    rootDir,
    named: true,
    layout: LIBRARY,
    format: libraryHeads(strict),
    kind: strict ? "strict library" : "library",
    cache,
    now,
    ifMissing: named ? [missing(rootDir)] : [],
    choose: (files) => ({
      chosen:
        only === undefined ? files : files.filter(({ dir, fileName }) => only.has(below(dir, fileName))),
      diagnostics: [],
    }),
    interpret: (found, state, before, realDir) =>
      libraryResult(found, { dir: rootDir, realDir, location, strict }, state, before),
  });
  return { rootDir, scan };
}

function createOneLibraryScanner(
  root: LibraryRoot,
  options: LibraryScanOptions,
): (context: ScanContext) => Promise<ScannedLibrary> {
  const { dir: given, locate, prefix } = root;
  const origin = root.repo === undefined ? {} : { repo: root.repo };
  let place: ReturnType<typeof createPlaceScanner> | undefined;
  return async (context) => {
    const located = locate === undefined ? { dir: given } : await locate();
    if (located === undefined) return { ...NOTHING, ...origin, prefix, awaited: [given] };
    // A new version of a Git library lies elsewhere.
    if (place?.rootDir !== located.dir) place = createPlaceScanner(located, root, options);
    const { traversal, results } = await place.scan(context);
    return {
      prefix,
      ...origin,
      ...filesOf(results),
      // What is odd about folders that hold other things is reported with those.
      diagnostics: [
        ...(located.files === undefined ? traversal.diagnostics : []),
        ...results.flatMap(({ diagnostics }) => diagnostics),
      ],
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
