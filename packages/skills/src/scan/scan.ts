import { createDirectDisk, createTimeSlices, type Disk, monotonicMs, POOLED_DISK } from "#util";
import { fingerprintText, sameItems } from "../read/file-reader.ts";
import { findPlugins } from "../roots/plugin-folders.ts";
import { type PluginOff, type PluginOptions, readPluginRoots } from "../roots/plugins.ts";
import { findPresentRoots, type Root, type RootPlan } from "../roots/roots.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import type { NotServed, ReviewedSkill } from "../visibility/not-served.ts";
import { createLinkBounds, type LinkBounds } from "./links.ts";
import { type CachedFolders, changedFolders, type DirtyFolders } from "./listing.ts";
import { createLibraryScanner, type LibraryScanOptions, type ScannedLibrary } from "./scan-library.ts";
import { createSkillScanner, type ScannedRoot } from "./scan-skills.ts";
import type { ScanContext, Traversal } from "./traverse.ts";

/** Without a cache nothing is saved between runs. */
export interface ScanOptions extends LibraryScanOptions {
  /** A function is called again at every scan. */
  readonly roots: readonly Root[] | ((disk: Disk, isPartial: boolean) => Promise<RootPlan>);
  /** Where Claude's plugins are listed; absent when plugins are not served. */
  readonly plugins?: PluginOptions;
}

/** What one scan found, in order of priority. */
export interface ScanResult {
  /** The roots that were scanned, plugins included; each real folder once. */
  readonly roots: readonly Root[];
  /** What is not served, as far as it is known by now. */
  readonly notServed: readonly NotServed[];
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** A text for each enabled skill's file that changes whenever the body may have changed. */
  readonly fingerprints: ReadonlyMap<Skill, string>;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  /** The real folders to which an entry came, or from which one went, since the last scan. */
  readonly changedFolders: readonly string[];
  /** The real folders of skills that have other visible files in them or below. */
  readonly withFiles: ReadonlySet<string>;
  readonly libraries: readonly ScannedLibrary[];
  /** Every place outside of skills that decides which skills there are. */
  readonly surroundings: () => readonly string[];
  /** Real folders to watch. */
  readonly folders: ReadonlySet<string>;
  /** Files and folders elsewhere whose appearance, change or removal matters. */
  readonly awaited: readonly string[];
  /** Skills that are served only as they were approved, or not at all; absent where there are none. */
  readonly reviewed?: readonly ReviewedSkill[];
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
  const scanLibraries = (options.libraries ?? []).length > 0 ? createLibraryScanner(options) : undefined;
  const fingerprintsOf = createFingerprints();
  const compare = createComparison();
  let isFirst = true;
  return async (request = {}) => {
    // A client waits for the first scan; the others must never block the event loop.
    const disk = isFirst ? createDirectDisk(monotonicMs) : POOLED_DISK;
    isFirst = false;
    const places = await planPlaces(options, { ...request, slices, disk });
    const context = { ...request, slices, disk, bounds: places.bounds };
    const found = await scanRoots(places.present, context);
    const libraries = (await scanLibraries?.(context)) ?? [];
    await slices.yieldIfDue();
    const traversals = found.map(({ traversal }) => traversal);
    const outside = traversals.map(({ outside, settings }) => [...outside, ...settings]);
    const awaited = [
      ...places.awaited,
      ...[...traversals, ...found, ...libraries].flatMap((each) => each.awaited),
    ];
    const distinct = distinctFolders(found);
    return {
      roots: distinctRoots(places, found),
      notServed: places.pluginsOff.map((off) => ({ kind: "plugin-off", ...off })),
      enabled: found.flatMap(({ enabled }) => enabled),
      disabled: found.flatMap(({ disabled }) => disabled),
      diagnostics: [
        ...places.diagnostics,
        ...distinct.flatMap(({ traversal }) => traversal.diagnostics),
        ...[...distinct, ...libraries].flatMap(({ diagnostics }) => diagnostics),
      ],
      fingerprints: fingerprintsOf(found),
      ...compare(traversals),
      withFiles: union(traversals.map(({ withFiles }) => withFiles)),
      libraries,
      surroundings: () => [...new Set([...awaited, ...places.surroundings, ...outside.flat()])],
      folders: union([...[...traversals, ...libraries].map(({ folders }) => folders), places.folders]),
      awaited,
    };
  };
}

const NO_FOLDERS: CachedFolders = new Map();
/** What to scan, and what decided it. */
interface ScanPlaces {
  /** All roots, and those of them that may exist; both in order of priority. */
  readonly roots: readonly Root[];
  readonly present: readonly Root[];
  readonly pluginsOff: readonly PluginOff[];
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
  readonly surroundings: readonly string[];
  readonly bounds: LinkBounds | undefined;
}

async function planPlaces(options: ScanOptions, context: ScanContext): Promise<ScanPlaces> {
  const { disk } = context;
  const [claude, plan] = await Promise.all([
    options.plugins === undefined ? NO_PLUGINS : readPluginRoots(options.plugins),
    typeof options.roots === "function"
      ? options.roots(disk, context.dirty !== undefined)
      : { ...NO_PLAN, roots: options.roots },
  ]);
  const plugins = await findPlugins(plan.pluginFolders, context);
  const roots = [...plan.roots, ...claude.roots, ...plugins.roots];
  const { present, awaited } = await findPresentRoots(roots, disk);
  return {
    roots,
    present,
    pluginsOff: [...claude.off, ...plugins.off],
    diagnostics: [...(plan.diagnostics ?? []), ...claude.diagnostics, ...plugins.diagnostics],
    folders: new Set(plugins.folders),
    awaited: [
      // A root that exists may be a link that changes, or lie in a folder that is renamed.
      ...present.map(({ dir }) => dir),
      ...awaited,
      ...plugins.awaited,
      ...(plan.awaited ?? []),
      ...(options.plugins === undefined ? [] : [options.plugins.file, options.plugins.settingsFile]),
    ],
    surroundings: [...plan.markers, ...plugins.folders],
    bounds: plan.own && createLinkBounds(plan.own),
  };
}

const NO_PLAN: RootPlan = { roots: [], pluginFolders: [], markers: [] };
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

/** Compares the folders of each scan with those of the last one. */
function createComparison() {
  let last: { readonly listing: number; readonly roots: ReadonlyMap<string, CachedFolders> } | undefined;
  return (traversals: readonly Traversal[]): Pick<ScanResult, "listing" | "changedFolders"> => {
    const before = last;
    const listing = traversals.reduce((sum, traversal) => (sum + traversal.listing) | 0, 0);
    const roots = new Map(traversals.map(({ realDir, cached }) => [realDir, cached]));
    last = { listing, roots };
    // Most scans find no change, and there may be a hundred thousand folders.
    if (before === undefined || before.listing === listing) return { listing, changedFolders: [] };
    const all = new Set([...before.roots.keys(), ...roots.keys()]);
    const changed = [...all].flatMap((root) =>
      changedFolders(before.roots.get(root) ?? NO_FOLDERS, roots.get(root) ?? NO_FOLDERS),
    );
    return { listing, changedFolders: changed };
  };
}

/** Several roots may lead to one folder, by link or for several providers: problems found there are reported once. */
function distinctFolders(found: readonly ScannedRoot[]): readonly ScannedRoot[] {
  return distinctBy(found, ({ traversal }) => traversal.realDir);
}

function distinctRoots({ roots, present }: ScanPlaces, found: readonly ScannedRoot[]): readonly Root[] {
  const real = new Map(present.map((root, index) => [root, found[index]?.traversal.realDir]));
  return distinctBy(roots, (root) => real.get(root) ?? root.dir);
}

/** The first of each key. */
function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const before = seen.size;
    return seen.add(keyOf(item)).size > before;
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
