import { inTurn, runToEnd, type Steps } from "../../catalog/steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { Skill } from "../../skill/skill.ts";
import { monotonicMs } from "../../system/clock.ts";
import { createPace, type Pace, runPaced } from "../../system/time-slice.ts";
import { type CacheOptions, createCatalogStore } from "../cache/catalog-store.ts";
import { createFileCache, revisionOf } from "../read/file-cache.ts";
import { skillHeads } from "../read/read-skill-file.ts";
import { type PluginOff, type PluginOptions, readPluginRoots } from "../roots/plugins.ts";
import type { Root } from "../roots/roots.ts";
import { createLibraryScanner, type LibraryRoot, type ScannedLibrary } from "./scan-library.ts";
import { createRootScanner, type ScannedRoot } from "./scan-root.ts";
import type { Touched, Walk, WalkLook } from "./walk.ts";

export interface ScanOptions {
  /** A function is asked again at every look. */
  readonly roots: readonly Root[] | (() => readonly Root[]);
  /** Absent when plugins are not served. */
  readonly plugins?: PluginOptions;
  /** Folders of keyword-routed Markdown. */
  readonly libraries?: readonly LibraryRoot[];
  /** Skip what could only be recovered. */
  readonly strict: boolean;
  readonly now: () => number;
  /** Where what was read is kept between runs; nowhere when absent. */
  readonly cache?: CacheOptions;
}

/** What one look at the disk showed, in order of priority. */
export interface ScanResult {
  /** Where was looked, plugins included; each real folder once. */
  readonly roots: readonly Root[];
  /** Where was not looked, because a plugin is turned off. */
  readonly pluginsOff: readonly PluginOff[];
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** What each enabled skill's file was like: another value means that its body may differ. */
  readonly revisions: Revisions;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  readonly libraries: readonly ScannedLibrary[];
  /** Every place outside of skills that decides which skills there are. */
  readonly surroundings: () => readonly string[];
  /** Real folders to watch, and files and folders elsewhere whose coming, change or going matters. */
  readonly folders: () => ReadonlySet<string>;
  readonly awaited: readonly string[];
}

interface Revisions {
  now(): ReadonlyMap<Skill, string>;
  /** The same without holding up anyone. */
  inSteps(): Promise<ReadonlyMap<Skill, string>>;
}

/** How to look. */
interface Look {
  /** Told of each real folder just before it is read. */
  readonly onFolder?: (realDir: string) => void;
  /** All that changed since the last look, if that is known: then nothing else is asked for. */
  readonly touched?: Touched | undefined;
  /** Whether nobody waits for the look, asked again and again. */
  readonly isLeisurely?: () => boolean;
}

const EAGERLY = (): boolean => false;

/** Looks at the disk. */
export type Scan = (look?: Look) => Promise<ScanResult>;

/** Returns a function that looks at the disk. It remembers what it read, so a second look reads only changes. */
export function createScanner(options: ScanOptions): Scan {
  let isLeisurely = EAGERLY;
  const pace = createPace(monotonicMs, { isLeisurely: () => isLeisurely() });
  const { strict, now, cache } = options;
  const store = cache === undefined ? undefined : createCatalogStore({ ...cache, now, pace });
  const format = skillHeads(strict);
  const shared = { format, cache: createFileCache(format, now), store, strict, pace, now };
  const scanLibraries = createLibraryScanner(options, pace, store);
  let scanners = new Map<string, (look: WalkLook) => Promise<ScannedRoot>>();
  let looks = 0;
  let last: readonly ScannedRoot[] = [];
  let revisions = revisionsOf(last, pace);
  return async ({ onFolder, touched, isLeisurely: nobodyWaits = EAGERLY } = {}) => {
    isLeisurely = nobodyWaits;
    const plugins = options.plugins === undefined ? NO_PLUGINS : await readPluginRoots(options.plugins);
    const planned = typeof options.roots === "function" ? options.roots() : options.roots;
    const roots = [...planned, ...plugins.roots];
    // The first look answers someone who waits, and may be the only one.
    const look: WalkLook = { onFolder, touched, remember: looks++ > 0 };
    const current: typeof scanners = new Map();
    for (const root of roots) {
      let key = JSON.stringify(root);
      while (current.has(key)) key += " again";
      current.set(key, scanners.get(key) ?? createRootScanner(root, shared));
    }
    scanners = current;
    const found = await Promise.all([...current.values()].map((scan) => scan(look)));
    const libraries = await scanLibraries(look);
    if (!sameItems(found, last)) revisions = revisionsOf(found, pace);
    last = found;
    const pluginFiles =
      options.plugins === undefined ? [] : [options.plugins.file, options.plugins.settingsFile];
    const walks = found.map(({ walk }) => walk);
    const awaited = [
      // A root that is there may be a link that is turned, or lie in a folder that is renamed.
      ...roots.map((root) => root.dir),
      ...walks.flatMap((walk) => walk.awaited),
      ...found.flatMap((root) => root.awaited),
      ...libraries.flatMap((library) => library.awaited),
      ...pluginFiles,
    ];
    const isFirst = firstOfFolder(walks);
    const distinct = found.filter((_, index) => isFirst[index]);
    return {
      roots: roots.filter((_, index) => isFirst[index]),
      pluginsOff: plugins.off,
      enabled: joined(found.map((root) => root.enabled)),
      disabled: joined(found.map((root) => root.disabled)),
      diagnostics: [
        ...plugins.diagnostics,
        ...distinct.flatMap(({ walk }) => walk.diagnostics),
        ...distinct.flatMap((root) => root.diagnostics),
        ...libraries.flatMap((library) => library.diagnostics),
      ],
      revisions,
      listing: walks.reduce((sum, walk) => (sum + walk.listing) | 0, 0),
      libraries,
      folders: () => union([...walks, ...libraries].map(({ folders }) => folders())),
      surroundings: () => [...new Set([...awaited, ...walks.flatMap(({ outside }) => outside)])],
      awaited,
    };
  };
}

const NO_PLUGINS = { roots: [], off: [], diagnostics: [] } as const;

/** Several roots may lead to one folder, by link or for several providers: what is found there is told once. */
function firstOfFolder(walks: readonly Walk[]): readonly boolean[] {
  const seen = new Set<string>();
  return walks.map(({ realDir }) => {
    const before = seen.size;
    return seen.add(realDir).size > before;
  });
}

/** One list of several; the very same one where only one holds anything. */
function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length === 1 && filled[0] !== undefined ? filled[0] : filled.flat();
}

function union<T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  const filled = sets.filter((set) => set.size > 0);
  if (filled.length === 1 && filled[0] !== undefined) return filled[0];
  const all = new Set<T>();
  for (const set of filled) for (const item of set) all.add(item);
  return all;
}

/** Made when someone asks: most looks are never asked. */
function revisionsOf(roots: readonly ScannedRoot[], pace: Pace): Revisions {
  let made: ReadonlyMap<Skill, string> | undefined;
  return {
    now() {
      made ??= runToEnd(revisionSteps(roots));
      return made;
    },
    async inSteps() {
      made ??= await runPaced(revisionSteps(roots), pace);
      return made;
    },
  };
}

function* revisionSteps(roots: readonly ScannedRoot[]): Steps<ReadonlyMap<Skill, string>> {
  const revisions = new Map<Skill, string>();
  for (const { readings } of roots) {
    yield* inTurn(readings, (reading) => {
      if (reading?.skill === undefined || reading.record === undefined || reading.disabled) return;
      revisions.set(reading.skill, revisionOf(reading.record));
    });
  }
  return revisions;
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
