import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { Skill } from "../../skill/skill.ts";
import { monotonicMs } from "../../system/clock.ts";
import { createDirectDisk, POOLED_DISK } from "../../system/files/file-system.ts";
import { createTimeSlices } from "../../system/tasks/time-slice.ts";
import { fingerprintText, sameItems } from "../read/file-reader.ts";
import { type PluginOff, type PluginOptions, readPluginRoots } from "../roots/plugins.ts";
import type { Root } from "../roots/roots.ts";
import { createLibraryScanner, type LibraryScanOptions, type ScannedLibrary } from "./scan-library.ts";
import { createSkillScanner, type ScannedRoot } from "./scan-skills.ts";
import type { DirtyFolders, ScanContext } from "./traverse.ts";

/** `strict` skips what could only be recovered; without a cache nothing is saved between runs. */
export interface ScanOptions extends LibraryScanOptions {
  /** A function is called again at every scan. */
  readonly roots: readonly Root[] | (() => readonly Root[]);
  /** Absent when plugins are not served. */
  readonly plugins?: PluginOptions;
}

/** What one scan found, in order of priority. */
export interface ScanResult {
  /** The roots that were scanned, plugins included; each real folder once. */
  readonly roots: readonly Root[];
  /** Plugins that are installed but disabled. */
  readonly pluginsOff: readonly PluginOff[];
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** Of each enabled skill's file: another value means that its body may differ. */
  readonly fingerprints: ReadonlyMap<Skill, string>;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  /** The real folders of skills that have other visible files in them or below. */
  readonly withFiles: ReadonlySet<string>;
  readonly libraries: readonly ScannedLibrary[];
  /** Every place outside of skills that decides which skills there are. */
  readonly surroundings: () => readonly string[];
  /** Real folders to watch. */
  readonly folders: ReadonlySet<string>;
  /** Files and folders elsewhere whose appearance, change or removal matters. */
  readonly awaited: readonly string[];
}

interface ScanRequest {
  /** Called with each real folder just before it is listed. */
  readonly onFolder?: ((realDir: string) => void) | undefined;
  /** All that changed since the last scan, if that is known: then nothing else is examined. */
  readonly dirty?: DirtyFolders | undefined;
}

/** Scans every root. */
export type Scan = (request?: ScanRequest) => Promise<ScanResult>;

/** Returns a function that scans every root. It caches what it read, so a second scan reads only changes. */
export function createScanner(options: ScanOptions): Scan {
  const slices = createTimeSlices();
  const scanRoots = createRootsScanner(options);
  const scanLibraries = createLibraryScanner(options);
  const fingerprintsOf = createFingerprints();
  let isFirst = true;
  return async (request = {}) => {
    const plugins = options.plugins === undefined ? NO_PLUGINS : await readPluginRoots(options.plugins);
    const planned = typeof options.roots === "function" ? options.roots() : options.roots;
    const roots = [...planned, ...plugins.roots];
    // A client waits for the first scan; the others must never block the event loop.
    const context = { ...request, slices, disk: isFirst ? createDirectDisk(monotonicMs) : POOLED_DISK };
    isFirst = false;
    const found = await scanRoots(roots, context);
    const libraries = await scanLibraries(context);
    await slices.yieldIfDue();
    const traversals = found.map(({ traversal }) => traversal);
    const outside = traversals.map((traversal) => traversal.outside);
    const awaited = [
      // A root that exists may be a link that changes, or lie in a folder that is renamed.
      ...roots.map(({ dir }) => dir),
      ...[...traversals, ...found, ...libraries].flatMap((each) => each.awaited),
      ...(options.plugins === undefined ? [] : [options.plugins.file, options.plugins.settingsFile]),
    ];
    const isFirstOfFolder = firstOfFolder(found);
    const distinct = found.filter((_, index) => isFirstOfFolder[index]);
    return {
      roots: roots.filter((_, index) => isFirstOfFolder[index]),
      pluginsOff: plugins.off,
      enabled: found.flatMap(({ enabled }) => enabled),
      disabled: found.flatMap(({ disabled }) => disabled),
      diagnostics: [
        ...plugins.diagnostics,
        ...distinct.flatMap(({ traversal }) => traversal.diagnostics),
        ...[...distinct, ...libraries].flatMap(({ diagnostics }) => diagnostics),
      ],
      fingerprints: fingerprintsOf(found),
      listing: traversals.reduce((sum, { listing }) => (sum + listing) | 0, 0),
      withFiles: union(traversals.map(({ withFiles }) => withFiles)),
      libraries,
      surroundings: () => [...new Set([...awaited, ...outside.flat()])],
      folders: union([...traversals, ...libraries].map(({ folders }) => folders)),
      awaited,
    };
  };
}

const NO_PLUGINS = { roots: [], off: [], diagnostics: [] } as const;

/** Every root has a scanner of its own, for as long as it is planned. */
function createRootsScanner(options: ScanOptions) {
  let scanners = new Map<string, (context: ScanContext) => Promise<ScannedRoot>>();
  return (roots: readonly Root[], context: ScanContext): Promise<readonly ScannedRoot[]> => {
    const current: typeof scanners = new Map();
    for (const root of roots) {
      let key = JSON.stringify(root);
      while (current.has(key)) key += " again";
      current.set(key, scanners.get(key) ?? createSkillScanner(root, options));
    }
    scanners = current;
    return Promise.all([...current.values()].map((scan) => scan(context)));
  };
}

/** Several roots may lead to one folder, by link or for several providers: problems found there are reported once. */
function firstOfFolder(found: readonly ScannedRoot[]): readonly boolean[] {
  const seen = new Set<string>();
  return found.map(({ traversal: { realDir } }) => {
    const before = seen.size;
    return seen.add(realDir).size > before;
  });
}

/** One set of several, without a copy where only one holds anything. */
function union<T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  const filled = sets.filter((set) => set.size > 0);
  if (filled.length === 1 && filled[0] !== undefined) return filled[0];
  const all = new Set<T>();
  for (const set of filled) for (const item of set) all.add(item);
  return all;
}

/** The fingerprints of all enabled skills; the very same map when no file changed. */
function createFingerprints() {
  let last: readonly unknown[] = [];
  let fingerprints: ReadonlyMap<Skill, string> = new Map();
  return (found: readonly ScannedRoot[]): ReadonlyMap<Skill, string> => {
    const lists = found.map(({ results }) => results);
    if (sameItems(lists, last)) return fingerprints;
    last = lists;
    const current = new Map<Skill, string>();
    for (const { skill, cached, isDisabled } of lists.flat()) {
      if (skill !== undefined && cached !== undefined && !isDisabled)
        current.set(skill, fingerprintText(cached));
    }
    fingerprints = current;
    return fingerprints;
  };
}
