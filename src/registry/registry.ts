import { buildCatalog, catalogSteps } from "../catalog/build-catalog.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Filter, passesFilter } from "../catalog/filter.ts";
import type { Library } from "../catalog/library/library.ts";
import { type CatalogChange, visibleChange } from "../catalog/visible-change.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import { LIBRARY_PROVIDER } from "./agents.ts";
import { debounce } from "./debounce.ts";
import { createFolderWatcher, type FolderWatcher } from "./folder-watcher.ts";
import { libraryKeeper } from "./keep-library.ts";
import { createPace, runPaced } from "./pace.ts";
import type { Scan } from "./scan.ts";
import { singleFlight } from "./single-flight.ts";

/** Everything known of the disk at one moment. Never changed, only replaced. */
export interface Snapshot {
  readonly catalog: Catalog;
  /** Skills whose file is called `.SKILL.md`. */
  readonly disabled: Catalog;
  /** What each skill's file was like: another value means that its body may have changed. */
  readonly revisions: ReadonlyMap<Skill, string>;
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

export function createRegistry(options: RegistryOptions): Registry {
  let current: Snapshot | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let reasons = new Set<RefreshReason>();

  const onChange = debounce(() => void quietly("watch"), QUIET_MS, LONGEST_WAIT_MS);
  const watcher: FolderWatcher | undefined = options.watch
    ? createFolderWatcher({
        onChange,
        onLimit: (code) => {
          options.onWatchLimit(code);
          if (options.intervalMs === undefined) startTimer(FALLBACK_INTERVAL_MS);
        },
      })
    : undefined;

  const enabledCatalog = catalogKeeper(options.filter);
  const disabledCatalog = catalogKeeper(options.filter);
  const keptLibrary = libraryKeeper((name) =>
    passesFilter(options.filter, { name, provider: LIBRARY_PROVIDER }),
  );

  const run = singleFlight(async (): Promise<Snapshot> => {
    const answered = reasons;
    reasons = new Set();
    // The first look answers waiting clients, so it is not slowed by setting up watches.
    const watching = current !== undefined && !closed ? watcher : undefined;
    const result = await options.scan(watching === undefined ? {} : { onFolder: watching.ensure });
    const kept = keptLibrary(result.libraries);
    const snapshot: Snapshot = {
      catalog: await enabledCatalog(result.enabled),
      disabled: await disabledCatalog(result.disabled),
      get revisions() {
        return result.revisions();
      },
      library: kept.library,
      libraryRevisions: kept.revisions,
      diagnostics: result.diagnostics,
    };
    const previous = current;
    current = snapshot;
    const change = previous === undefined ? undefined : visibleChange(previous, snapshot);
    if (!closed) options.onRefresh({ reasons: answered, snapshot, previous, change });
    if (!closed && watcher !== undefined) {
      const began = watcher.settle(watching === undefined ? new Set() : result.folders, result.awaited);
      // What changed between the look and the first watch of a place would otherwise wait for the interval.
      if (watching === undefined) void quietly("watch");
      else if (began) onChange();
    }
    return snapshot;
  });

  function refresh(reason: RefreshReason): Promise<Snapshot> {
    reasons.add(reason);
    return run();
  }

  async function quietly(reason: RefreshReason): Promise<void> {
    if (closed) return;
    try {
      await refresh(reason);
    } catch (error) {
      // The last good snapshot stays.
      options.onFailure(error);
    }
  }

  function startTimer(intervalMs: number): void {
    clearInterval(timer);
    timer = setInterval(() => void quietly("interval"), intervalMs);
    timer.unref();
  }

  const first = refresh("start");
  first.catch(() => {});
  if (options.intervalMs !== undefined) startTimer(options.intervalMs);

  return {
    snapshot: async () => current ?? first.catch(() => refresh("request")),
    refresh,
    close() {
      closed = true;
      clearInterval(timer);
      onChange.cancel();
      watcher?.close();
    },
  };
}

/** Builds a catalog of the skills that pass the filter, and keeps it for as long as they are the very same. */
function catalogKeeper(filter: Filter): (sightings: readonly Skill[]) => Promise<Catalog> {
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
      catalog = await runPaced(
        catalogSteps(passing),
        createPace(() => performance.now()),
      );
    }
    last = sightings;
    return catalog;
  };
}
