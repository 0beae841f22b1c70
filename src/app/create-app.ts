import { homedir } from "node:os";
import path from "node:path";
import { type Filter, parseFilterTokens } from "../catalog/filter.ts";
import type { CatalogChange } from "../catalog/visible-change.ts";
import { PROVIDERS } from "../registry/agents.ts";
import type { PluginOptions } from "../registry/plugins.ts";
import { createRegistry, type Snapshot } from "../registry/registry.ts";
import { expandHome, planRoots } from "../registry/roots.ts";
import { createScanner } from "../registry/scan.ts";
import { createSkillTexts } from "../registry/skill-texts.ts";
import { type LoadedSkill, loadSkill } from "./load-skill.ts";
import { type AppOptions, DEFAULT_REFRESH_INTERVAL_MS } from "./options.ts";
import { createRefreshLog, watchLimitLine } from "./refresh-log.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { SearchResult } from "./search-skills.ts";
import { type CatalogList, type CatalogSearch, listCatalog, searchAllWords } from "./skill-catalog.ts";
import { type SkillInfo, skillInfo } from "./skill-info.ts";
import { type ToggleResult, toggleSkill } from "./toggle-skill.ts";

/** What the product does. Every edge (command line, MCP, HTTP) calls these and nothing below them. */
export interface App {
  /** The skills as they are known now; waits only for the first look at the disk. */
  snapshot(): Promise<Snapshot>;
  /** The skills as the disk shows them at this moment. */
  refresh(): Promise<Snapshot>;
  load(name: string): Promise<LoadedSkill>;
  search(task: string, limit: number): Promise<SearchResult>;
  /** Begins to index the skills, so that the first search need not wait. */
  prepareSearch(): void;
  /** Every SKILL.md in the catalog's scope, as the disk shows it at this moment. */
  listCatalog(options: { query: string; includeBody: boolean }): Promise<CatalogList>;
  /** The skills that hold every word of a query, as the disk shows them at this moment. */
  searchAllWords(options: { query: string; limit: number }): Promise<CatalogSearch>;
  info(name: string): Promise<SkillInfo>;
  toggle(name: string, to: "enabled" | "disabled"): Promise<ToggleResult>;
  /** Calls back after each refresh that changed what clients can see. Returns how to stop. */
  onChange(listener: (change: CatalogChange) => void): () => void;
}

/** Puts the product together. Whoever opens it closes it; closing twice is fine. */
export function createApp(options: AppOptions = {}): { readonly app: App; readonly close: () => void } {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const home = path.resolve(cwd, options.userDir ?? homedir());
  const listeners = new Set<(change: CatalogChange) => void>();
  const log = options.log ?? (() => {});
  const logRefresh = createRefreshLog(log);
  const intervalMs = options.refreshIntervalMs ?? DEFAULT_REFRESH_INTERVAL_MS;

  const registry = createRegistry({
    scan: createScanner({
      roots: planRoots({
        cwd,
        home,
        skillDirs: options.skillDirs ?? [],
        defaultDirs: options.scanDefaultDirs ?? true,
      }),
      strict: options.strict ?? false,
      now: Date.now,
      ...(options.skipPlugins === true ? {} : { plugins: pluginOptions(options, cwd, home) }),
    }),
    filter: filterOf(options),
    watch: options.watch ?? false,
    intervalMs: options.autoRefresh === true ? intervalMs : undefined,
    onRefresh(event) {
      logRefresh(event);
      if (event.change !== undefined) for (const listener of listeners) listener(event.change);
    },
    onFailure: (error) => log(`the refresh failed, so the last known skills stay: ${String(error)}`),
    onWatchLimit: (code) => log(watchLimitLine(code, intervalMs)),
  });

  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  const { catalogRoot } = options;
  const scope = {
    cwd,
    root: catalogRoot === undefined ? undefined : resolve(catalogRoot),
    label: catalogRoot ?? cwd,
  };
  const texts = createSkillTexts();
  let engine: Promise<SearchEngine> | undefined;
  const searchEngine = (): Promise<SearchEngine> => {
    engine ??= import("./search-engine.ts").then(({ createSearchEngine }) =>
      createSearchEngine({
        ownFolder: path.join(home, ".skills-mcp"),
        view: viewKey(options, cwd, home),
        log,
      }),
    );
    return engine;
  };

  const app: App = {
    snapshot: () => registry.snapshot(),
    refresh: () => registry.refresh("request"),
    load: async (name) => loadSkill(await registry.snapshot(), name),
    search: async (task, limit) => (await searchEngine()).search(await registry.snapshot(), task, limit),
    prepareSearch() {
      // What goes wrong here goes wrong again, and is answered, when someone searches.
      void registry
        .snapshot()
        .then(async (snapshot) => (await searchEngine()).prepare(snapshot))
        .catch(() => {});
    },
    listCatalog: async (wanted) => listCatalog(await registry.refresh("request"), scope, wanted),
    searchAllWords: async (wanted) => searchAllWords(await registry.refresh("request"), scope, texts, wanted),
    info: async (name) => skillInfo(await registry.snapshot(), name),
    async toggle(name, to) {
      const result = await toggleSkill(await registry.snapshot(), name, to);
      await registry.refresh("request");
      return result;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { app, close: () => registry.close() };
}

/** Everything that decides which skills are seen: two servers with the same view can share an index. */
function viewKey(options: AppOptions, cwd: string, home: string): string {
  const { skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, strict, include, exclude } =
    options;
  const view = [skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, strict, include, exclude];
  return JSON.stringify([cwd, home, ...view]);
}

function pluginOptions(options: AppOptions, cwd: string, home: string): PluginOptions {
  const claude = path.join(home, ".claude");
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  const root =
    options.pluginsRoot === undefined ? path.join(claude, "plugins") : resolve(options.pluginsRoot);
  return {
    file:
      options.pluginsFile === undefined
        ? path.join(claude, "plugins", "installed_plugins.json")
        : resolve(options.pluginsFile),
    root,
    settingsFile: path.join(claude, "settings.json"),
    named: options.pluginsFile !== undefined,
  };
}

function filterOf(options: AppOptions): Filter {
  return {
    include: parseFilterTokens(options.include ?? [], PROVIDERS),
    exclude: parseFilterTokens(options.exclude ?? [], PROVIDERS),
  };
}
