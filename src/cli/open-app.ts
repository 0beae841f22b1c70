import { type App, createApp } from "../app/create-app.ts";
import type { Sources } from "../app/library/open-sources.ts";
import { createToolLists, type ToolLists } from "../mcp/definitions/tool-lists.ts";
import type { Log } from "../system/log.ts";
import type { ServerPlan } from "./plan-server.ts";

/** Everything behind a transport that needs no SDK. */
export interface OpenedApp {
  readonly app: App;
  readonly git: Sources["git"];
  readonly lists: ToolLists;
  readonly broken: Sources["broken"];
  readonly close: () => Promise<void>;
}

/** Why a server ends whose library turned out to have wrong settings; what they are is said last. */
export const WRONG_SETTINGS = "the settings that came with the library are wrong";

/** Opens what is served. Closing it closes the sources too. */
export function openApp(plan: ServerPlan, sources: Sources, log: Log): OpenedApp {
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
    broken: sources.broken,
    lists: createToolLists(app, { ...plan.settings, log }),
    close: async () => {
      await Promise.all([close(), sources.close()]);
    },
  };
}
