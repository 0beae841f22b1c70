import { type App, createApp } from "../app/create-app.ts";
import type { Sources } from "../app/library/open-sources.ts";
import { createServerFactory } from "../mcp/create-server.ts";
import type { ServerPlan } from "./plan-server.ts";

/** Everything behind a transport. */
export interface OpenedServer {
  readonly app: App;
  readonly git: Sources["git"];
  readonly factory: ReturnType<typeof createServerFactory>;
  readonly close: () => Promise<void>;
}

/** Opens what is served: the app, and the factory of MCP servers. Closing it closes the sources too. */
export function openServer(plan: ServerPlan, sources: Sources, log: (line: string) => void): OpenedServer {
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
    factory: createServerFactory(app, { ...plan.settings, log }),
    close: async () => {
      await Promise.all([close(), sources.close()]);
    },
  };
}
