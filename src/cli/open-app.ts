import { type App, createApp } from "../app/create-app.ts";
import type { Sources } from "../app/library/open-sources.ts";
import { createToolLists, type ToolLists } from "../mcp/tool-lists.ts";
import type { ServerPlan } from "./plan-server.ts";

/** Everything behind a transport that needs no SDK. */
export interface OpenedApp {
  readonly app: App;
  readonly git: Sources["git"];
  readonly lists: ToolLists;
  readonly close: () => Promise<void>;
}

/** Opens what is served. Closing it closes the sources too. */
export function openApp(plan: ServerPlan, sources: Sources, log: (line: string) => void): OpenedApp {
  const { git } = sources;
  const { app, close } = createApp({
    ...plan.app,
    config: () => sources.settings().values,
    usage: sources.usage,
    ...(git === undefined ? {} : { git }),
    log,
  });
  const { enabled, interval_minutes } = sources.settings().values.refresh;
  git?.start(plan.app.autoRefresh === true && enabled ? interval_minutes * 60_000 : undefined);
  return {
    app,
    git,
    lists: createToolLists(app, { ...plan.settings, log }),
    close: async () => {
      await Promise.all([close(), sources.close()]);
    },
  };
}
