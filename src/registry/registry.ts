import { buildCatalog, catalogSteps } from "../catalog/build-catalog.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Filter, passesFilter } from "../catalog/filter.ts";
import type { Library } from "../catalog/library/library.ts";
import { type CatalogChange, visibleChange } from "../catalog/visible-change.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import { monotonicMs } from "../system/clock.ts";
import { debounce } from "../system/debounce.ts";
import { createQuiet, type Quiet } from "../system/idle.ts";
import { singleFlight } from "../system/single-flight.ts";
import { createPace, type Pace, runPaced } from "../system/time-slice.ts";
import { nextLookIn } from "./next-scan.ts";
import { libraryKeeper } from "./read/keep-library.ts";
import { LIBRARY_PROVIDER } from "./roots/agents.ts";
import type { PluginOff } from "./roots/plugins.ts";
import type { Root } from "./roots/roots.ts";
import type { Scan } from "./scan/scan.ts";
import { createTouchedFolders } from "./watch/dirty-folders.ts";
import { createFolderWatcher, type FolderChange, type FolderWatcher } from "./watch/folder-watcher.ts";

/** Everything known of the disk at one moment. Never changed, only replaced. */
export interface Snapshot {
  /** Where was looked for skills, plugins included, highest priority first; each real folder once. */
  readonly roots: readonly Root[];
  /** Plugins that are installed but turned off. */
  readonly pluginsOff: readonly PluginOff[];
  readonly catalog: Catalog;
  /** Skills whose file is called `.SKILL.md`. */
  readonly disabled: Catalog;
  /** What each skill's file was like: another value means that its body may have changed. */
  readonly revisions: ReadonlyMap<Skill, string>;
  /** Makes them without holding up anyone; whoever can wait calls this first. */
  readonly prepareRevisions: () => Promise<unknown>;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  /** Every place outside of skills that decides which skills there are. */
  readonly surroundings: () => readonly string[];
  readonly library: Library;
  /** The same for library skills, by their paths. */
  readonly libraryRevisions: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

type RefreshReason = "start" | "interval" | "watch" | "request" | "sync";

export interface RefreshEvent {
  /** Everything that asked for this look at the disk. */
  readonly reasons: ReadonlySet<RefreshReason>;
  readonly snapshot: Snapshot;
  readonly previous: Snapshot | undefined;
  /** What clients can see of it; undefined when nothing. */
  readonly change: CatalogChange | undefined;
}

export interface RegistryOptions {
  readonly scan: Scan;
  readonly filter: Filter;
  readonly watch: boolean;
  /** Undefined: no periodic refresh. */
  readonly intervalMs: number | undefined;
  /** False: nobody asked for this very interval, so that a costly look may wait longer. */
  readonly intervalAsked?: boolean;
  /** Told of everyone who asks; what nobody waits for is left until they are done. */
  readonly quiet?: Quiet;
  readonly onRefresh: (event: RefreshEvent) => void;
  readonly onFailure: (error: unknown) => void;
  /** Told once when changes can no longer be watched for everywhere. */
  readonly onWatchLimit: (code: string) => void;
}

/** Keeps a catalog equal to the disk. */
export interface Registry {
  /** The current snapshot; waits only for the very first one. */
  snapshot(): Promise<Snapshot>;
  /** A snapshot that is at least as new as this call. */
  refresh(reason: RefreshReason): Promise<Snapshot>;
  close(): void;
}

/** Editors save in several steps, and a `git checkout` is hundreds: wait for quiet, but not for ever. */
const QUIET_MS = 500;
const LONGEST_WAIT_MS = 2_000;
/** How often to look when the system allows no more watches and no interval was asked for. */
const FALLBACK_INTERVAL_MS = 30_000;
const NO_FOLDERS: ReadonlySet<string> = new Set();
/** Nobody waits for the answer to these. */
const LEISURELY: ReadonlySet<RefreshReason> = new Set(["interval", "watch"]);

export function createRegistry(options: RegistryOptions): Registry {
  const { quiet = createQuiet({ now: monotonicMs }) } = options;
  let current: Snapshot | undefined;
  let closed = false;
  /** Whether all that changed since the last look is reported. */
  let isWatched = false;
  let timer: NodeJS.Timeout | undefined;
  let reasons = new Set<RefreshReason>();

  let giveUpSecond = (): void => {};
  let { intervalMs } = options;
  let costMs = 0;
  /** Then someone will ask for those of the next look too. */
  let isAskedForRevisions = false;
  /** How many wait for a look. */
  let waiting = 0;
  const touched = createTouchedFolders();

  const lookSoon = debounce(() => void quietly("watch"), QUIET_MS, LONGEST_WAIT_MS);
  const onChange = (change?: FolderChange): void => {
    touched.add(change);
    lookSoon();
  };
  const watcher: FolderWatcher | undefined = options.watch
    ? createFolderWatcher({
        onChange,
        onLimit: (code) => {
          options.onWatchLimit(code);
          if (intervalMs !== undefined) return;
          intervalMs = FALLBACK_INTERVAL_MS;
          startTimer();
        },
      })
    : undefined;

  const pace = createPace(monotonicMs);
  const enabledCatalog = catalogKeeper(options.filter, pace);
  const disabledCatalog = catalogKeeper(options.filter, pace);
  const keptLibrary = libraryKeeper((name) =>
    passesFilter(options.filter, { name, provider: LIBRARY_PROVIDER }),
  );

  const run = singleFlight(async (): Promise<Snapshot> => {
    const answered = reasons;
    reasons = new Set();
    // The first look answers waiting clients, so it is not slowed by setting up watches.
    const watching = current !== undefined && !closed ? watcher : undefined;
    const reported = touched.take();
    const isWhole = !(isWatched && answered.size === 1 && answered.has("watch"));
    // Until this look has succeeded, what was reported is not known to be all.
    const wasWatched = isWatched;
    isWatched = false;
    if (answered.has("interval")) watcher?.retry();
    const began = process.cpuUsage();
    const result = await options.scan({
      isLeisurely: () => waiting === 0,
      ...(watching === undefined ? {} : { onFolder: watching.ensure }),
      ...(isWhole ? {} : { touched: reported }),
    });
    if (isWhole) costMs = elapsedMs(process.cpuUsage(began));
    isWatched = isWhole ? watching !== undefined : wasWatched;
    if (isAskedForRevisions) await result.revisions.inSteps();
    const kept = keptLibrary(result.libraries);
    const snapshot: Snapshot = {
      roots: result.roots,
      pluginsOff: result.pluginsOff,
      catalog: await enabledCatalog(result.enabled),
      disabled: await disabledCatalog(result.disabled),
      get revisions() {
        isAskedForRevisions = true;
        return result.revisions.now();
      },
      prepareRevisions() {
        isAskedForRevisions = true;
        return result.revisions.inSteps();
      },
      listing: result.listing,
      surroundings: result.surroundings,
      library: kept.library,
      libraryRevisions: kept.revisions,
      diagnostics: result.diagnostics,
    };
    const previous = current;
    const change =
      previous === undefined ? undefined : await runPaced(visibleChange(previous, snapshot), pace);
    current = snapshot;
    if (!closed) options.onRefresh({ reasons: answered, snapshot, previous, change });
    if (!closed && watcher !== undefined) {
      const folders = watching === undefined ? NO_FOLDERS : result.folders();
      const isNew = await runPaced(watcher.settle(folders, result.awaited), pace);
      // What changed between the look and the first watch of a place would otherwise wait for the interval.
      if (watching === undefined) giveUpSecond = quiet.soon(() => void quietly("watch"));
      else if (isNew) onChange();
    }
    if (isWhole) startTimer();
    return snapshot;
  });

  async function refresh(reason: RefreshReason): Promise<Snapshot> {
    reasons.add(reason);
    if (LEISURELY.has(reason)) return run();
    waiting++;
    try {
      return await run();
    } finally {
      waiting--;
    }
  }

  async function quietly(reason: RefreshReason): Promise<void> {
    if (closed) return;
    try {
      await refresh(reason);
    } catch (error) {
      // The last good snapshot stays.
      options.onFailure(error);
    }
    if (timer === undefined) startTimer();
  }

  function startTimer(): void {
    clearTimeout(timer);
    if (intervalMs === undefined || closed) return;
    const watched = isWatched && watcher?.isHealthy() === true;
    const pause = nextLookIn({ intervalMs, asked: options.intervalAsked ?? true, watched, costMs });
    timer = setTimeout(() => {
      timer = undefined;
      void quietly("interval");
    }, pause);
    timer.unref();
  }

  const first = refresh("start");
  first.catch(() => {});
  startTimer();

  return {
    snapshot: async () => {
      quiet.asked();
      return current ?? first.catch(() => refresh("request"));
    },
    refresh,
    close() {
      closed = true;
      clearTimeout(timer);
      giveUpSecond();
      lookSoon.cancel();
      watcher?.close();
    },
  };
}

function elapsedMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Builds a catalog of the skills that pass the filter, and keeps it for as long as they are the very same. */
function catalogKeeper(filter: Filter, pace: Pace): (sightings: readonly Skill[]) => Promise<Catalog> {
  let last: readonly Skill[] | undefined;
  let catalog: Catalog = buildCatalog([]);
  const isOpen = filter.include.length + filter.exclude.length === 0;
  return async (sightings) => {
    const unchanged =
      last === sightings ||
      (last !== undefined &&
        last.length === sightings.length &&
        last.every((skill, index) => skill === sightings[index]));
    if (!unchanged) {
      const passing = isOpen ? sightings : sightings.filter((skill) => passesFilter(filter, skill));
      catalog = await runPaced(catalogSteps(passing), pace);
    }
    last = sightings;
    return catalog;
  };
}
