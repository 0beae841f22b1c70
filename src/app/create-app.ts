import { monotonicMs } from "../system/clock.ts";
import { NO_LOG } from "../system/log.ts";
import { createIdle } from "../system/tasks/idle.ts";
import type { App } from "./app.ts";
import { healthOf } from "./health.ts";
import { openLibrary } from "./library/create-library.ts";
import type { AppOptions } from "./options.ts";
import { createLazySearch } from "./search/lazy-search.ts";
import { createSkillLoader } from "./skills/load-skill.ts";
import { openRegistry } from "./skills/open-registry.ts";
import { failedRefreshLine } from "./skills/refresh-log.ts";
import { createSkillCatalog } from "./skills/skill-catalog.ts";
import { anyInfo } from "./skills/skill-info.ts";
import { toggleAndRefresh } from "./skills/toggle-skill.ts";
import { resolvePlaces } from "./skills/view-options.ts";
import { createLazyUsage } from "./usage/lazy-usage.ts";

export type { App } from "./app.ts";

/** A client that disconnects must not wait long for an analytics endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;

/** Puts the product together. Whoever opens it closes it; closing twice is fine. */
export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const parts = openParts(options);
  return { app: appOf(parts, options), close: parts.close };
}

/** What holds state: each capability is opened once, and closed in the end. */
function openParts(options: AppOptions) {
  const log = options.log ?? NO_LOG;
  const places = resolvePlaces(options);
  const idle = createIdle({ now: monotonicMs });
  const registry = openRegistry({ options, places, idle, log });
  const { snapshot } = registry;
  const refresh = () => registry.refresh("request");

  const search = createLazySearch({ options, places, snapshot, idle, log });
  const usage = createLazyUsage(places.ownFolder, options.usage, log);
  const catalog = createSkillCatalog({ options, places, refresh });
  const library = openLibrary({ options, places, snapshot, refresh, search: search.search, usage, log });
  options.git?.onUpdate("skills", () =>
    registry.refresh("sync").catch((error: unknown) => log.error(failedRefreshLine(error))),
  );
  const close = async (): Promise<void> => {
    idle.close();
    registry.close();
    await Promise.all([library.close(), usage.close(USAGE_DEADLINE_MS), search.close()]);
  };
  return { places, registry, snapshot, refresh, search, usage, catalog, library, close };
}

function appOf(parts: ReturnType<typeof openParts>, { git }: AppOptions): App {
  const { places, registry, snapshot, refresh, search, usage, catalog, library } = parts;
  return {
    snapshot,
    refresh,
    onChange: registry.onChange,
    onRefresh: registry.onRefresh,
    setWorkspaces: registry.setWorkspaces,
    load: createSkillLoader(snapshot),
    info: async (name) => anyInfo(await snapshot(), name),
    toggle: (name, to, origin) => toggleAndRefresh({ snapshot, refresh }, name, to, origin),
    listCatalog: catalog.list,
    searchAllWords: catalog.search,
    search: search.search,
    searchDiagnostics: search.diagnostics,
    prepareSearch: search.prepare,
    library: library.tools,
    record: usage.record,
    async usage(span) {
      const { usageStats } = await import("./usage/usage-stats.ts");
      return usageStats(places.home, await snapshot(), span);
    },
    health: async () =>
      healthOf({
        snapshot: await snapshot(),
        searchDiagnostics: await search.diagnostics(),
        libraries: git === undefined ? registry.libraries.map(({ dir }) => dir) : [],
        freshness: registry.freshness(),
        git: git?.states() ?? [],
        sandbox: await library.sandboxStatus(),
        usage: usage.state(),
      }),
    status: () => ({
      refreshes: registry.refreshes(),
      usage: usage.state(),
      sandbox: library.lastSandbox(),
    }),
  };
}
