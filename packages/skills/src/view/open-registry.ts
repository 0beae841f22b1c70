import path from "node:path";
import { planPluginFolders } from "#agents";
import {
  type Disk,
  homeFolder,
  type Idle,
  type Log,
  type ObserveWork,
  POOLED_DISK,
  platform,
  VERSION,
} from "#util";
import { createRegistry, type RefreshEvent } from "../registry/registry.ts";
import type { CatalogChange } from "../registry/snapshot.ts";
import { createDependencyFinder } from "../roots/dependencies.ts";
import { findPlugins } from "../roots/plugin-folders.ts";
import { readPluginRoots } from "../roots/plugins.ts";
import {
  findProjects,
  homeNames,
  planRoots,
  type Root,
  type RootPlan,
  repositoriesOn,
} from "../roots/roots.ts";
import { createScanner, type Scan } from "../scan/scan.ts";
import type { LibraryRoot } from "../scan/scan-library.ts";
import { diagnosticLines } from "../skill/diagnostic.ts";
import {
  DEFAULT_REFRESH_INTERVAL_MS,
  filterOf,
  libraryRoots,
  type OpenViewOptions,
  type Places,
  pluginOptions,
  type SkillViewOptions,
} from "./skill-options.ts";

/** How changes on the disk are detected. */
export interface Freshness {
  /** `limited`: the system allows no more watches, so some folders are only scanned periodically. */
  readonly watcher: "on" | "off" | "limited";
  /** Undefined: there is no periodic scan. */
  readonly intervalMs: number | undefined;
  /** The time of the last scan, as ISO text. */
  readonly lastRefresh: string | undefined;
}

interface RegistryDeps {
  readonly options: OpenViewOptions;
  readonly places: Places;
  readonly idle: Idle;
  readonly log: Log;
  /** Wraps a scan so that its result has only what the user trusts. */
  readonly trusted: (scan: Scan, options: SkillViewOptions) => Scan;
}

/** Opens the registry of the skills that the options select, and tells listeners of its refreshes. */
export function openRegistry({ options, places, idle, log, trusted }: RegistryDeps) {
  const changes = createListeners<CatalogChange>();
  const events = createListeners<RefreshEvent>();
  const intervalAsked = options.refreshIntervalMs !== undefined;
  const logRefresh = createRefreshLog(log, { intervalAsked });
  const intervalMs = options.refreshIntervalMs ?? DEFAULT_REFRESH_INTERVAL_MS;
  const libraries = libraryRoots(options, places);
  let workspaces: readonly string[] = [];
  let lastRefresh: string | undefined;
  let watchLimited = false;
  let refreshes = 0;
  const scannerFor = (chosen: OpenViewOptions) => scannerOf(chosen, places, libraries, () => workspaces);
  const view = createView({ options, trusted }, scannerFor);
  const registry = createRegistry({
    scan: observedScan(view.scan, options.observe),
    filter: filterOf(options.filter),
    wrongSettings: options.wrongSettings,
    watch: options.watch ?? false,
    intervalMs: options.autoRefresh === true ? intervalMs : undefined,
    intervalAsked,
    idle,
    onRefresh(event) {
      refreshes++;
      logRefresh(event);
      lastRefresh = new Date().toISOString();
      if (event.change !== undefined) changes.call(event.change);
      events.call(event);
    },
    onFailure: (error) => log.error(failedRefreshLine(error)),
    onWatchLimit(code) {
      watchLimited = true;
      log.warn(watchLimitLine(code, intervalMs));
    },
    onUnreported(folder) {
      watchLimited = true;
      log.info(unreportedLine(folder, intervalMs));
    },
  });
  return {
    snapshot: () => registry.snapshot(),
    /** A snapshot at least as new as this call. */
    refresh: (reason: "request" | "sync") => registry.refresh(reason),
    close: () => registry.close(),
    libraries,
    refreshes: () => refreshes,
    freshness: (): Freshness => ({
      watcher: options.watch !== true ? "off" : watchLimited ? "limited" : "on",
      intervalMs: options.autoRefresh === true ? intervalMs : undefined,
      lastRefresh,
    }),
    async setWorkspaces(dirs: readonly string[]): Promise<void> {
      if (dirs.length === workspaces.length && dirs.every((dir, index) => dir === workspaces[index])) return;
      workspaces = [...dirs];
      await registry.refresh("request");
    },
    /** Serves what other settings select. A wrong filter is a `Refusal`, and nothing changes. */
    async setView(chosen: SkillViewOptions): Promise<void> {
      registry.setFilter(filterOf(chosen.filter));
      view.choose(chosen);
      await registry.refresh("request");
    },
    onChange: changes.add,
    onRefresh: events.add,
  };
}

function observedScan(scan: Scan, observe: ObserveWork | undefined): Scan {
  if (observe === undefined) return scan;
  return (request) =>
    observe({
      kind: "scan",
      run: () => scan(request),
      describe: ({ enabled }) => ({ facts: { skills: enabled.length } }),
    });
}

/** Scans what the options select. `choose` replaces the options, except for the repositories. */
function createView(
  { options, trusted }: Pick<RegistryDeps, "options" | "trusted">,
  scannerFor: (options: OpenViewOptions) => Scan,
) {
  const scanOf = (chosen: OpenViewOptions): Scan => trusted(scannerFor(chosen), chosen);
  let scan = scanOf(options);
  const { git } = options;
  return {
    scan: (request: Parameters<Scan>[0]) => scan(request),
    choose(chosen: SkillViewOptions): void {
      scan = scanOf(git === undefined ? chosen : { ...chosen, git });
    },
  };
}

function scannerOf(
  options: OpenViewOptions,
  places: Places,
  libraries: readonly LibraryRoot[],
  workspaces: () => readonly string[],
): Scan {
  const { plugins = {} } = options;
  return createScanner({
    roots: plannerOf(options, places, workspaces),
    libraries,
    ...(options.reading === undefined ? {} : { reading: options.reading }),
    now: Date.now,
    cache: { folder: path.join(places.ownFolder, "cache"), version: VERSION },
    ...(plugins.skip === true ? {} : { plugins: pluginOptions(plugins, places) }),
  });
}

/** The folders of skills of the plugins that the user's agents have installed and not turned off. */
export async function installedPluginRoots(places: Places): Promise<readonly Root[]> {
  const [claude, others] = await Promise.all([
    readPluginRoots(pluginOptions({}, places)),
    findPlugins(planPluginFolders({ ...places, projects: [] }), { disk: POOLED_DISK }),
  ]);
  return [...claude.roots, ...others.roots];
}

/** Plans the roots again at every scan: a workspace or the root of a repository may have come or gone. */
function plannerOf(
  options: OpenViewOptions,
  { cwd, home, moved }: Places,
  workspaces: () => readonly string[],
): (disk: Disk, isPartial: boolean) => Promise<RootPlan> {
  const { first = [], last = [], defaults = true, dependencies = true, system: base } = options.folders ?? {};
  const findDependencies = defaults && dependencies ? createDependencyFinder(Date.now) : undefined;
  const named = { skillDirs: first, lastDirs: last, defaultDirs: defaults };
  const system = { platform: platform.name, ...(base === undefined ? {} : { base }) };
  // With another folder as home, the real home folder is no project either.
  const homes = homeNames([home, homeFolder()]);
  return async (disk, isPartial) => {
    const starts = [cwd, ...workspaces()];
    const { folders: projects, markers } = await findProjects({
      starts,
      homes: await homes,
      isRepository: repositoriesOn(disk),
    });
    const repos = await options.git?.plan();
    const own = planRoots({ cwd, projects, home, moved, system, ...named });
    const found = await findDependencies?.({ projects, disk, isPartial });
    return {
      ...repos,
      roots: [...own, ...(found?.roots ?? []), ...(repos?.roots ?? [])],
      pluginFolders: options.plugins?.skip === true ? [] : planPluginFolders({ cwd, projects, home, moved }),
      markers: [...markers, ...(found?.markers ?? [])],
      awaited: [...(repos?.awaited ?? []), ...(found?.awaited ?? [])],
      diagnostics: [...(repos?.diagnostics ?? []), ...(found?.diagnostics ?? [])],
      own: { home, projects },
    };
  };
}

function createListeners<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener: (value: T) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    call(value: T): void {
      for (const listener of listeners) listener(value);
    },
  };
}

/**
 * Logs refreshes. A problem is logged once, and again only if it was fixed in between. Whoever names an interval wants to see it
 * at work; otherwise a refresh without a change is for debugging.
 */
export function createRefreshLog(
  log: Log,
  { intervalAsked }: { readonly intervalAsked: boolean },
): (event: RefreshEvent) => void {
  let logged = new Set<string>();
  return ({ reasons, snapshot, change }) => {
    const lines = diagnosticLines(snapshot.diagnostics);
    for (const [line, severity] of lines)
      if (!logged.has(line)) log[severity === "error" ? "error" : "warn"](line);
    logged = new Set(lines.keys());

    const library = snapshot.library.skills.size;
    const count =
      countOf(snapshot.catalog.entries.length, "skill") +
      (library === 0 ? "" : ` and ${countOf(library, "library skill")}`);
    if (reasons.has("start")) {
      const skipped = snapshot.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
      log.info(`ready: ${count}${skipped === 0 ? "" : `, ${countOf(skipped, "problem")} above`}`);
    } else if (reasons.has("interval") || change !== undefined) {
      const what =
        change === undefined
          ? "no change"
          : `${change.added} added, ${change.removed} removed, ${change.changed} changed`;
      log[change === undefined && !intervalAsked ? "debug" : "info"](`refreshed: ${count}, ${what}`);
    }
  };
}

/** Logged once, when the system allows no more watches. */
export function watchLimitLine(code: string, intervalMs: number): string {
  const what =
    code === "ENOSPC"
      ? "file watches (fs.inotify.max_user_watches)"
      : "open files or watchers (ulimit -n, fs.inotify.max_user_instances)";
  return `the system limit of ${what} is reached: changes are now detected every ${Math.round(intervalMs / 1000)} s instead of at once. Raise the limit, or pass --no-watch.`;
}

/** Logged once: NFS, SMB, disks of Windows in WSL, folders of the host in a container. */
export function unreportedLine(folder: string, intervalMs: number): string {
  return `the file system of ${folder} reports no changes: they are detected every ${Math.round(intervalMs / 1000)} s there instead of at once`;
}

export function failedRefreshLine(error: unknown): string {
  return `refresh failed, still serving the last known skills: ${String(error)}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
