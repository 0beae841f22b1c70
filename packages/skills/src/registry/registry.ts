import { createIdle, createTimeSlices, debounce, type Idle, monotonicMs, singleFlight } from "#util";
import type { Filter } from "../catalog/filter.ts";
import type { Scan, ScanResult } from "../scan/scan.ts";
import type { SettingsProblem } from "../visibility/not-served.ts";
import { createPipeline } from "../visibility/pipeline.ts";
import { createDirtyFolders, type FolderChange, FolderWatcher } from "../watch/folder-watcher.ts";
import { type CatalogChange, type Snapshot, visibleChange } from "./snapshot.ts";

export type { Snapshot } from "./snapshot.ts";

type RefreshReason = "start" | "interval" | "watch" | "request" | "sync";

export interface RefreshEvent {
  /** Everything that asked for this refresh. */
  readonly reasons: ReadonlySet<RefreshReason>;
  readonly snapshot: Snapshot;
  readonly previous: Snapshot | undefined;
  /** What clients can see of it; undefined when nothing. */
  readonly change: CatalogChange | undefined;
}

export interface RegistryOptions {
  readonly scan: Scan;
  readonly filter: Filter;
  /** What is wrong in the settings; nothing when absent. */
  readonly wrongSettings?: readonly SettingsProblem[] | undefined;
  readonly watch: boolean;
  /** Time between periodic refreshes; undefined: there are none. */
  readonly intervalMs: number | undefined;
  /** False: the interval is a default, so that a costly refresh may wait longer. */
  readonly intervalAsked?: boolean;
  /** Background work waits until it is idle; requests are reported to it. */
  readonly idle?: Idle;
  readonly onRefresh: (event: RefreshEvent) => void;
  readonly onFailure: (error: unknown) => void;
  /** Called once when the system allows no more watches. */
  readonly onWatchLimit: (code: string) => void;
  /** Called once for the first folder on a file system that reports no changes. */
  readonly onUnreported?: (folder: string) => void;
}

/** Keeps a catalog equal to the disk. */
export interface Registry {
  /** The current snapshot; waits only for the very first one. */
  snapshot(): Promise<Snapshot>;
  /** A snapshot that is at least as new as this call. */
  refresh(reason: RefreshReason): Promise<Snapshot>;
  /** Replaces the filter, which counts from the next refresh on. */
  setFilter(filter: Filter): void;
  close(): void;
}

/** Editors save in several steps, and a `git checkout` is hundreds: wait for a pause, but not for ever. */
const DEBOUNCE_MS = 500;
const LONGEST_WAIT_MS = 2_000;
/** The interval where changes are not reported and none was asked for. */
const FALLBACK_INTERVAL_MS = 30_000;
const NO_FOLDERS: ReadonlySet<string> = new Set();

export function createRegistry(options: RegistryOptions): Registry {
  return new Coordinator(options);
}

/** One scan at a time; the snapshot is swapped whole; a failed refresh leaves the last one in place. */
class Coordinator implements Registry {
  private readonly options: RegistryOptions;
  private readonly idle: Idle;
  private readonly slices = createTimeSlices();
  private buildSnapshot: (result: ScanResult) => Snapshot;
  private readonly dirty = createDirtyFolders();
  private readonly watcher: FolderWatcher | undefined;
  private readonly refreshSoon: ReturnType<typeof debounce>;
  private readonly run: () => Promise<Snapshot>;
  private readonly first: Promise<Snapshot>;
  private current: Snapshot | undefined;
  /** Whether every change since the last scan was reported. */
  private isWatched = false;
  private reasons = new Set<RefreshReason>();
  private intervalMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** How much processor time the last whole scan took. */
  private costMs = 0;
  private cancelSecond = (): void => {};
  private closed = false;

  constructor(options: RegistryOptions) {
    this.options = options;
    this.idle = options.idle ?? createIdle({ now: monotonicMs });
    this.intervalMs = options.intervalMs;
    this.buildSnapshot = createPipeline(options.filter, options.wrongSettings);
    this.refreshSoon = debounce(() => void this.inBackground("watch"), DEBOUNCE_MS, LONGEST_WAIT_MS);
    const onChange = (change?: FolderChange): void => this.noteChange(change);
    const onLimit = (code: string): void => {
      options.onWatchLimit(code);
      this.requireInterval();
    };
    const onUnreported = (folder: string): void => {
      options.onUnreported?.(folder);
      this.requireInterval();
    };
    this.watcher = options.watch ? new FolderWatcher({ onChange, onLimit, onUnreported }) : undefined;
    this.run = singleFlight(() => this.refreshNow());
    this.first = this.refresh("start");
    this.first.catch(() => {});
    this.startTimer();
  }

  async snapshot(): Promise<Snapshot> {
    this.idle.noteRequest();
    return this.current ?? this.first.catch(() => this.refresh("request"));
  }

  refresh(reason: RefreshReason): Promise<Snapshot> {
    this.reasons.add(reason);
    return this.run();
  }

  setFilter(filter: Filter): void {
    this.buildSnapshot = createPipeline(filter, this.options.wrongSettings);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.cancelSecond();
    this.refreshSoon.cancel();
    this.watcher?.close();
  }

  private async refreshNow(): Promise<Snapshot> {
    const { reasons } = this;
    this.reasons = new Set();
    // Clients wait for the first scan, so it is not slowed by setting up watches.
    const watcher = this.current === undefined || this.closed ? undefined : this.watcher;
    const { result, isWhole } = await this.scan(reasons, watcher);
    await this.slices.yieldIfDue();
    const snapshot = this.buildSnapshot(result);
    await this.slices.yieldIfDue();
    const previous = this.current;
    const change = previous && visibleChange(previous, snapshot);
    this.current = snapshot;
    if (this.closed) return snapshot;
    this.options.onRefresh({ reasons, snapshot, previous, change });
    await this.settleWatches(result, watcher);
    if (isWhole) this.startTimer();
    return snapshot;
  }

  private async scan(reasons: ReadonlySet<RefreshReason>, watcher: FolderWatcher | undefined) {
    const dirty = this.dirty.take();
    const wasWatched = this.isWatched;
    const isWhole = !(wasWatched && reasons.size === 1 && reasons.has("watch"));
    // Until this scan has succeeded, what was reported may not be all.
    this.isWatched = false;
    if (reasons.has("interval")) this.watcher?.retry();
    const began = process.cpuUsage();
    const onFolder = watcher && ((folder: string) => watcher.ensure(folder));
    const result = await this.options.scan({ onFolder, dirty: isWhole ? undefined : dirty });
    const { user, system } = process.cpuUsage(began);
    if (isWhole) this.costMs = (user + system) / 1_000;
    this.isWatched = isWhole ? watcher !== undefined : wasWatched;
    return { result, isWhole };
  }

  private async settleWatches(result: ScanResult, watcher: FolderWatcher | undefined): Promise<void> {
    if (this.watcher === undefined || this.closed) return;
    const isNew = await this.watcher.settle(
      watcher === undefined ? NO_FOLDERS : result.folders,
      result.awaited,
    );
    if (this.closed) return;
    // A change between the scan and the first watch of a place would otherwise wait for the interval.
    if (watcher === undefined) this.cancelSecond = this.idle.whenIdle(() => void this.inBackground("watch"));
    else if (isNew) this.noteChange();
  }

  private noteChange(change?: FolderChange): void {
    this.dirty.add(change);
    this.refreshSoon();
  }

  private async inBackground(reason: RefreshReason): Promise<void> {
    if (this.closed) return;
    try {
      await this.refresh(reason);
    } catch (error) {
      this.options.onFailure(error);
    }
    if (this.timer === undefined) this.startTimer();
  }

  /** Where changes are not reported, they have to be looked for. */
  private requireInterval(): void {
    if (this.intervalMs !== undefined) return;
    this.intervalMs = FALLBACK_INTERVAL_MS;
    this.startTimer();
  }

  private startTimer(): void {
    clearTimeout(this.timer);
    const { intervalMs, costMs } = this;
    if (intervalMs === undefined || this.closed) return;
    const isWatched = this.isWatched && this.watcher?.isHealthy() === true;
    const isAsked = this.options.intervalAsked ?? true;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.inBackground("interval");
    }, nextScanIn({ intervalMs, isAsked, isWatched, costMs }));
    this.timer.unref();
  }
}

/** What decides when everything is scanned next, whatever the watcher reports. */
export interface NextScan {
  readonly intervalMs: number;
  /** The user asked for this very interval. */
  readonly isAsked: boolean;
  /** Changes are reported everywhere. */
  readonly isWatched: boolean;
  /** How much processor time the last whole scan took. */
  readonly costMs: number;
}

// An idle server must not show up among busy processes, however many skills there are.
const PAUSE_PER_COST = 300;
/** Where nothing reports changes, finding them late is worse. */
const PAUSE_PER_COST_UNWATCHED = 30;

export function nextScanIn({ intervalMs, isAsked, isWatched, costMs }: NextScan): number {
  if (isAsked) return intervalMs;
  return Math.max(intervalMs, costMs * (isWatched ? PAUSE_PER_COST : PAUSE_PER_COST_UNWATCHED));
}
