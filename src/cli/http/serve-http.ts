import { setTimeout as pause } from "node:timers/promises";
import { openDashboard } from "../../http/api/dashboard-page.ts";
import { openAuth } from "../../http/auth/open-auth.ts";
import { REFRESH_HOOK_PATH, type RefreshHook } from "../../http/ops/refresh-hook.ts";
import { createHttpServer } from "../../http/server/create-http-server.ts";
import type { HttpServer } from "../../http/server/listener.ts";
import { createServerFactory } from "../../mcp/server/create-server.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import type { FlagValues } from "../flags.ts";
import { type OpenedApp, openApp, WRONG_SETTINGS } from "../open-app.ts";
import { planServer, type ServeOptions } from "../plan-server.ts";
import type { HTTP_FLAGS, SHARED_SERVER_FLAGS } from "../server-flags.ts";
import { type HttpSettings, readHttpSettings } from "./http-settings.ts";
import { webhookSecret } from "./webhook-secret.ts";

export interface HttpServeOptions {
  readonly sseOnly: boolean;
  /** True: the web dashboard is served at `/`. */
  readonly showPage: boolean;
  /** Called once the port is open. */
  readonly onListening?: (url: string, settings: HttpSettings) => void;
}

/** Below the 5 s after which some supervisors kill the process. */
const MAX_SHUTDOWN_MS = 4_700;

/** Serves MCP over HTTP until a signal arrives. Returns the exit code. */
export async function serveHttp(
  given: FlagValues<typeof HTTP_FLAGS & typeof SHARED_SERVER_FLAGS>,
  options: ServeOptions,
  { sseOnly, showPage, onListening }: HttpServeOptions,
  log: Log,
): Promise<number> {
  const settings = readHttpSettings(given);
  const secret = await webhookSecret(process.env);
  const signals = listenForSignals();
  const auth = await openAuth({ ...settings, log });
  let opened: OpenedApp | undefined;
  let server: HttpServer | undefined;
  let reason: Refusal | NodeJS.Signals;
  try {
    // Scripts of remote callers always run in a sandbox, without access to the project.
    const reach = { sandboxDefault: "required", remoteCallers: true, guarded: auth !== undefined } as const;
    const plan = planServer(given, options, reach);
    opened = await openApp(plan, log);
    const { app, git } = opened;
    const refreshHook = hookOf(git, secret, log);
    const { descriptionFormat: format, descriptionBudget: budget } = plan.settings;
    server = await createHttpServer({
      ...settings,
      app,
      factory: createServerFactory(app, { ...plan.settings, log }),
      git: () => git?.states() ?? [],
      sseOnly,
      auth,
      refreshHook,
      page: showPage ? await openDashboard({ app, format, budget }, log) : undefined,
      log,
    });
    log.info(`listening on ${server.url}/mcp${auth === undefined ? "" : ", bearer token required"}`);
    onListening?.(server.url, settings);
    reason = await Promise.race([signals.first, opened.broken]);
    log.info(`shutting down: ${reason instanceof Refusal ? WRONG_SETTINGS : reason}`);
  } catch (error) {
    await opened?.close();
    throw error;
  } finally {
    auth?.close();
  }
  const closed = server.close().then(opened.close);
  const code = await Promise.race([
    closed.then(() => 0),
    signals.second.then(() => 1),
    pause(MAX_SHUTDOWN_MS, 0, { ref: false }),
  ]);
  signals.close();
  if (reason instanceof Refusal) throw reason;
  return code;
}

/** What a push to one of the repositories starts. */
function hookOf(git: OpenedApp["git"], secret: string | undefined, log: Log): RefreshHook | undefined {
  if (secret === undefined) return undefined;
  if (git === undefined) {
    log.warn(`a webhook secret is set, but no repository, so ${REFRESH_HOOK_PATH} answers 404`);
    return undefined;
  }
  return {
    secret,
    repositories: () => git.states().map(({ name }) => name),
    refresh: () => git.refresh({ wait: true }),
  };
}

/** SIGINT and SIGTERM: the first starts a graceful shutdown, the second ends it at once. */
function listenForSignals() {
  const waiting: ((signal: NodeJS.Signals) => void)[] = [];
  const onSignal = (signal: NodeJS.Signals): void => waiting.shift()?.(signal);
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const next = (): Promise<NodeJS.Signals> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  return {
    first: next(),
    second: next(),
    close(): void {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
