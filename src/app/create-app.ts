import path from "node:path";
import type { CatalogChange } from "../catalog/visible-change.ts";
import { createReadingPace } from "../registry/read/reading-pace.ts";
import { createSkillTexts } from "../registry/read/skill-texts.ts";
import { createRegistry, type RefreshEvent, type Snapshot } from "../registry/registry.ts";
import { expandHome, planRoots, type Root } from "../registry/roots/roots.ts";
import { createScanner } from "../registry/scan/scan.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { monotonicMs } from "../system/clock.ts";
import { homeFolder } from "../system/home-folder.ts";
import { createQuiet } from "../system/idle.ts";
import { NO_LOG } from "../system/log.ts";
import type { Usage, UsageState } from "../usage/create-usage.ts";
import { VERSION } from "../version.ts";
import { type AnyInfo, anyInfo } from "./any-info.ts";
import { DEFAULT_VALUES } from "./config/settings.ts";
import { type Health, healthOf } from "./health.ts";
import { createLazyUsage } from "./lazy-usage.ts";
import { createLibraryTools, type LibraryTools } from "./library/create-library.ts";
import { createLazyRunner } from "./library/lazy-runner.ts";
import { MOST_SUGGESTIONS, suggestionsFrom } from "./library/suggestions.ts";
import { type LoadedSkill, loadSkill } from "./load-skill.ts";
import { type AppOptions, DEFAULT_REFRESH_INTERVAL_MS } from "./options.ts";
import { createRefreshLog, watchLimitLine } from "./refresh-log.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { SearchResult } from "./search-skills.ts";
import { type CatalogList, type CatalogSearch, listCatalog, searchAllWords } from "./skill-catalog.ts";
import { type NameOrigin, stillUnturned, type ToggleResult, toggleSkill } from "./toggle-skill.ts";
import type { Span, UsageSummary } from "./usage-stats.ts";
import { filterOf, libraryRoots, pluginOptions, viewKey } from "./view-of.ts";

/** What the product does. Every edge (command line, MCP, HTTP) calls these and nothing below them. */
export interface App {
  /** The skills as they are known now; waits only for the first look at the disk. */
  snapshot(): Promise<Snapshot>;
  /** The skills as the disk shows them at this moment. */
  refresh(): Promise<Snapshot>;
  load(name: string): Promise<LoadedSkill>;
  search(task: string, limit: number): Promise<SearchResult>;
  /** What is wrong with what a search takes besides the skills: the user's synonyms. */
  searchDiagnostics(): Promise<readonly Diagnostic[]>;
  /** Begins to index the skills, so that the first search need not wait. */
  prepareSearch(): void;
  /** Every SKILL.md in the catalog's scope, as the disk shows it at this moment. */
  listCatalog(options: { query: string; includeBody: boolean }): Promise<CatalogList>;
  /** The skills that hold every word of a query, as the disk shows them at this moment. */
  searchAllWords(options: { query: string; limit: number }): Promise<CatalogSearch>;
  info(name: string): Promise<AnyInfo>;
  toggle(name: string, to: "enabled" | "disabled", origin?: NameOrigin): Promise<ToggleResult>;
  /** What the tools over a library do. */
  readonly library: LibraryTools;
  /** Says what was used. */
  record: Usage["record"];
  /** How everything is: what was found where, what is wrong, and what stands between. */
  health(): Promise<Health>;
  /** What was used on this machine in a span of days. */
  usage(span: Span): Promise<UsageSummary>;
  /** What those who run a server want to know of it. */
  status(): AppStatus;
  /** Calls back after each refresh that changed what clients can see. Returns how to stop. */
  onChange(listener: (change: CatalogChange) => void): () => void;
  /** Calls back after each look at the disk, whatever it showed. Returns how to stop. */
  onRefresh(listener: (event: RefreshEvent) => void): () => void;
  /** Further project folders, absolute: the agents' folders in them are searched from now on. */
  setWorkspaces(dirs: readonly string[]): Promise<void>;
}

interface AppStatus {
  /** How often the disk was looked at. */
  readonly refreshes: number;
  /** Undefined before the first event. */
  readonly usage: UsageState | undefined;
  /** What keeps scripts in bounds; undefined before the first one runs. */
  readonly sandbox: string | undefined;
}

/** Puts the product together. Whoever opens it closes it; closing twice is fine. */
export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const home = path.resolve(cwd, options.userDir ?? homeFolder());
  const listeners = new Set<(change: CatalogChange) => void>();
  const refreshListeners = new Set<(event: RefreshEvent) => void>();
  let workspaces: readonly string[] = [];
  let lastRefresh: string | undefined;
  let watchLimited = false;
  const log = options.log ?? NO_LOG;
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  const logRefresh = createRefreshLog(log);
  let refreshes = 0;
  const intervalMs = options.refreshIntervalMs ?? DEFAULT_REFRESH_INTERVAL_MS;

  const roots = (): readonly Root[] =>
    planRoots({
      cwd,
      workspaces,
      home,
      skillDirs: options.skillDirs ?? [],
      lastDirs: options.lastDirs ?? [],
      defaultDirs: options.scanDefaultDirs ?? true,
    });
  const ownFolder = path.join(home, ".skills-mcp");
  const synonymsFile = path.join(ownFolder, "synonyms.yaml");
  const libraries = libraryRoots(options, cwd, resolve);
  const quiet = createQuiet({ now: monotonicMs });
  const registry = createRegistry({
    scan: createScanner({
      roots,
      libraries,
      strict: options.strict ?? false,
      now: Date.now,
      cache: { folder: path.join(ownFolder, "cache"), version: VERSION },
      ...(options.skipPlugins === true ? {} : { plugins: pluginOptions(options, cwd, home) }),
    }),
    filter: filterOf(options),
    watch: options.watch ?? false,
    intervalMs: options.autoRefresh === true ? intervalMs : undefined,
    intervalAsked: options.refreshIntervalMs !== undefined,
    quiet,
    onRefresh(event) {
      refreshes++;
      logRefresh(event);
      lastRefresh = new Date().toISOString();
      if (event.change !== undefined) for (const listener of listeners) listener(event.change);
      for (const listener of refreshListeners) listener(event);
    },
    onFailure: (error) => log.warn(`the refresh failed, so the last known skills stay: ${String(error)}`),
    onWatchLimit(code) {
      watchLimited = true;
      log.warn(watchLimitLine(code, intervalMs));
    },
  });

  const { catalogRoot } = options;
  const scope = {
    cwd,
    root: catalogRoot === undefined ? undefined : resolve(catalogRoot),
    label: catalogRoot ?? cwd,
  };
  const texts = createSkillTexts();
  const pace = createReadingPace(monotonicMs);
  let engine: Promise<SearchEngine> | undefined;
  let isPreparing = false;
  const searchEngine = (): Promise<SearchEngine> => {
    engine ??= import("./search-engine.ts").then(({ createSearchEngine }) =>
      createSearchEngine({
        ownFolder,
        synonymsFile,
        view: viewKey(options, cwd, home),
        log,
        // A command is done when it has answered; a server is asked again.
        soon: options.watch === true ? (action) => void quiet.soon(action) : (action) => action(),
      }),
    );
    return engine;
  };

  const search = (task: string, limit: number): Promise<SearchResult> =>
    quiet.during(
      Promise.all([searchEngine(), registry.snapshot()]).then(([found, snapshot]) =>
        found.search(snapshot, task, limit),
      ),
    );

  const searchDiagnostics = async (): Promise<readonly Diagnostic[]> => {
    const { readSynonyms } = await import("./read-synonyms.ts");
    const { problem } = await readSynonyms(synonymsFile);
    return problem === undefined ? [] : [problem];
  };

  const config = options.config ?? (() => DEFAULT_VALUES);
  const usage = createLazyUsage(ownFolder, options.usage, log);
  const scripts = createLazyRunner(
    () => config().scripts.sandbox ?? options.sandboxDefault ?? "preferred",
    log,
  );
  const library = createLibraryTools({
    snapshot: () => registry.snapshot(),
    refresh: () => registry.refresh("request"),
    config,
    git: options.git,
    usage,
    suggest: async (task) => suggestionsFrom(await search(task, MOST_SUGGESTIONS)),
    runner: scripts.open,
    folders: { project: cwd, home, projectAllowed: options.remoteCallers !== true },
    log,
  });

  options.git?.onUpdate(() => {
    // A failed look says so itself.
    void registry.refresh("sync").catch(() => {});
  });

  const app: App = {
    library,
    record: usage.record,
    health: async () =>
      healthOf({
        snapshot: await registry.snapshot(),
        searchDiagnostics: await searchDiagnostics(),
        libraries: options.git === undefined ? libraries.map(({ dir }) => dir) : [],
        freshness: {
          watcher: options.watch !== true ? "off" : watchLimited ? "limited" : "on",
          intervalMs: options.autoRefresh === true ? intervalMs : undefined,
          lastRefresh,
        },
        git: options.git?.states() ?? [],
        sandbox: config().scripts.enabled ? await (await scripts.open()).sandbox() : "off",
        usage: usage.state(),
      }),
    snapshot: () => registry.snapshot(),
    refresh: () => registry.refresh("request"),
    load: async (name) => loadSkill(await registry.snapshot(), name, pace),
    search,
    searchDiagnostics,
    prepareSearch() {
      if (isPreparing) return;
      isPreparing = true;
      quiet.soon(() => {
        isPreparing = false;
        // What goes wrong here goes wrong again, and is answered, when someone searches.
        void registry
          .snapshot()
          .then(async (snapshot) => (await searchEngine()).prepare(snapshot))
          .catch(() => {});
      });
    },
    listCatalog: async (wanted) => listCatalog(await registry.refresh("request"), scope, wanted),
    searchAllWords: async (wanted) => searchAllWords(await registry.refresh("request"), scope, texts, wanted),
    info: async (name) => anyInfo(await registry.snapshot(), name),
    async toggle(name, to, origin) {
      const result = await toggleSkill(await registry.snapshot(), name, to, origin);
      const others = stillUnturned(await registry.refresh("request"), name, to);
      return others.length === 0 ? result : { ...result, others };
    },
    async usage(span) {
      const { usageStats } = await import("./usage-stats.ts");
      return usageStats(home, await registry.snapshot(), span);
    },
    status: () => ({ refreshes, usage: usage.state(), sandbox: scripts.sandbox() }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRefresh(listener) {
      refreshListeners.add(listener);
      return () => refreshListeners.delete(listener);
    },
    async setWorkspaces(dirs) {
      if (dirs.length === workspaces.length && dirs.every((dir, index) => dir === workspaces[index])) return;
      workspaces = [...dirs];
      await registry.refresh("request");
    },
  };
  return {
    app,
    async close() {
      quiet.close();
      registry.close();
      // A command has answered by now, and the next one need not index everything again.
      const saved = options.watch === true ? undefined : engine?.then((found) => found.saved());
      await Promise.all([scripts.close(), usage.close(USAGE_DEADLINE_MS), saved?.catch(() => {})]);
    },
  };
}

/** A client that goes away must not wait long for an endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;
