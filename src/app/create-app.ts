import { cutText, oneLine } from "../catalog/cut-text.ts";
import type { Snapshot } from "../registry/registry.ts";
import { monotonicMs } from "../system/clock.ts";
import { NO_LOG } from "../system/log.ts";
import { createIdle } from "../system/tasks/idle.ts";
import { type Health, healthOf } from "./health.ts";
import { openLibrary } from "./library/create-library.ts";
import type { AppOptions } from "./options.ts";
import { createSettledSnapshot } from "./repos/settled-snapshot.ts";
import { createLazySearch } from "./search/lazy-search.ts";
import { createToggles } from "./skills/create-toggles.ts";
import { loadSkill } from "./skills/load-skill.ts";
import { openRegistry } from "./skills/open-registry.ts";
import { failedRefreshLine } from "./skills/refresh-log.ts";
import { createSkillCatalog } from "./skills/skill-catalog.ts";
import { anyInfo } from "./skills/skill-info.ts";
import { resolvePlaces } from "./skills/view-options.ts";
import { createLazyUsage } from "./usage/lazy-usage.ts";
import { openRecentSkills } from "./usage/recent-skills.ts";
import type { Span } from "./usage/usage-stats.ts";
import type { CheckCatalog } from "./validate/check-catalog.ts";

/**
 * What the product does. The edges (command line, MCP, HTTP) call this, and other functions of `app/`. Of what lies
 * below they use types, the pure functions of `skill/`, `catalog/` and `search/engine/`, and helpers of `system/` that do
 * no I/O; never a value of `registry/`, `search/`, `library/`, `sources/` or `usage/`. test/architecture.test.ts checks it.
 */
export type App = ReturnType<typeof appOf>;

/** A client that disconnects must not wait long for an analytics endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;

/** A client may send any text as a name, and a longer one says nothing more. */
const LONGEST_UNKNOWN_NAME = 200;

/** Puts the product together. The caller closes it; closing twice is harmless. */
export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const parts = openParts(options);
  return { app: appOf(parts, options), close: parts.close };
}

/** Opens everything that has state. */
function openParts(options: AppOptions) {
  const log = options.log ?? NO_LOG;
  const places = resolvePlaces(options);
  const idle = createIdle({ now: monotonicMs });
  const registry = openRegistry({ options, places, idle, log });
  const { snapshot } = registry;
  const refresh = () => registry.refresh("request");

  const { settled, with: snapshotWith } = createSettledSnapshot({ snapshot, refresh, git: options.git });
  const search = createLazySearch({ options, places, snapshot: settled, idle, log });
  const usage = createLazyUsage(places.ownFolder, options.usage, log);
  const recentSkills = openRecentSkills({
    ownFolder: places.ownFolder,
    usage: options.usage,
    idle,
    now: Date.now,
  });
  const catalog = createSkillCatalog({ options, places, refresh });
  const library = openLibrary({ options, places, settled, refresh, search: search.search, usage, log });
  options.git?.onUpdate("skills", () =>
    registry.refresh("sync").catch((error: unknown) => log.error(failedRefreshLine(error))),
  );
  const close = async (): Promise<void> => {
    idle.close();
    registry.close();
    await Promise.all([library.close(), usage.close(USAGE_DEADLINE_MS), search.close()]);
  };
  const checks: { catalog?: CheckCatalog } = {};
  const views = { snapshot, snapshotWith, refresh };
  return { places, registry, ...views, search, usage, recentSkills, catalog, library, checks, close };
}

function appOf(parts: ReturnType<typeof openParts>, { git }: AppOptions) {
  const { places, registry, snapshot, snapshotWith, refresh } = parts;
  const { search, usage, recentSkills, catalog, library } = parts;
  return {
    /** The current skills; waits only for the first scan. */
    snapshot,
    /** The same for who wants a certain skill: if no other has its name, it waits for the first clone of a repository. */
    snapshotWith,
    /** The skills as they are on the disk at this moment. */
    refresh,
    /** Calls back after each refresh that changed what clients can see. Returns a function that stops it. */
    onChange: registry.onChange,
    /** Calls back after every refresh. Returns a function that stops it. */
    onRefresh: registry.onRefresh,
    /** Replaces the additional project folders (absolute), which are searched for agents' folders too. */
    setWorkspaces: registry.setWorkspaces,
    load: async (name: string) => loadSkill(await snapshotWith(name), name),
    info: async (name: string) => anyInfo(await snapshot(), name),
    ...createToggles({ snapshot, refresh, ownFolder: places.ownFolder }),
    /** Every SKILL.md in the catalog's scope, after a fresh scan. */
    listCatalog: catalog.list,
    /** The skills that contain every word of a query, after a fresh scan. */
    searchAllWords: catalog.search,
    search: search.search,
    searchDiagnostics: search.diagnostics,
    prepareSearch: search.prepare,
    library: library.tools,
    record: usage.record,
    /** The skills that were used lately, by the names that lists show; the same for the whole run. */
    recentSkills,
    /** Records that a client wanted a skill by a name that none has. */
    recordUnknownName: (name: string, via: string) =>
      usage.record("no_match", { context: oneLine(cutText(name, LONGEST_UNKNOWN_NAME)), via }),
    async usage(span: Span) {
      const { usageStats } = await import("./usage/usage-stats.ts");
      return usageStats(places.home, await snapshot(), span);
    },
    health: async (): Promise<Health> =>
      healthOf({
        snapshot: await snapshot(),
        searchDiagnostics: await search.diagnostics(),
        libraries: git === undefined ? registry.libraries.map(({ dir }) => dir) : [],
        freshness: registry.freshness(),
        git: git?.states() ?? [],
        sandbox: await library.sandboxStatus(),
        usage: usage.state(),
      }),
    /** What `validate` says about the skills that are served. */
    findings: async () => checkServed(parts.checks, await snapshot()),
    /** Metrics of a running server. */
    status: () => ({
      refreshes: registry.refreshes(),
      usage: usage.state(),
      sandbox: library.lastSandbox(),
    }),
  };
}

async function checkServed(checks: { catalog?: CheckCatalog }, snapshot: Snapshot) {
  const { createCatalogChecks } = await import("./validate/check-catalog.ts");
  checks.catalog ??= createCatalogChecks();
  return checks.catalog(snapshot);
}
