import { setTimeout as pause } from "node:timers/promises";
import { openDashboard } from "../../http/api/open-dashboard.ts";
import { openAuth } from "../../http/auth/open-auth.ts";
import { createHttpServer, type HttpServer } from "../../http/server/create-http-server.ts";
import { createServerFactory } from "../../mcp/server/create-server.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import type { FlagValues } from "../flags.ts";
import { type OpenedApp, openApp, WRONG_SETTINGS } from "../open-app.ts";
import { planServer, type ServeOptions } from "../plan-server.ts";
import type { HTTP_FLAGS, OFFER_FLAGS } from "../server-flags.ts";
import { type HttpSettings, readHttpSettings } from "./http-settings.ts";
import { listenForSignals } from "./signals.ts";

export interface HttpServeOptions {
  readonly sseOnly: boolean;
  /** True: there is something for people at `/`. */
  readonly showPage: boolean;
  /** Told once the port is open. */
  readonly onListening?: (url: string, settings: HttpSettings) => void;
}

/** Everything is over by then: a supervisor that waits longer would kill us. */
const LONGEST_SHUTDOWN_MS = 4_700;

/** Serves MCP over HTTP until a signal comes. Returns the exit code. */
export async function serveHttp(
  given: FlagValues<typeof HTTP_FLAGS & typeof OFFER_FLAGS>,
  options: ServeOptions,
  { sseOnly, showPage, onListening }: HttpServeOptions,
  log: Log,
): Promise<number> {
  const settings = readHttpSettings(given);
  const signals = listenForSignals();
  const auth = await openAuth({ ...settings, log });
  let opened: OpenedApp | undefined;
  let server: HttpServer | undefined;
  let refusal: Refusal | undefined;
  try {
    // Scripts that a stranger starts run in a sandbox or not at all, and stay out of the project.
    const reach = { sandboxDefault: "required", remoteCallers: true, guarded: auth !== undefined } as const;
    const plan = planServer(given, options, reach);
    opened = await openApp(plan, log);
    const { app, git } = opened;
    const factory = createServerFactory(app, { ...plan.settings, log });
    server = await createHttpServer({
      ...settings,
      app,
      factory,
      git: () => git?.states() ?? [],
      sseOnly,
      auth,
      page: showPage
        ? await openDashboard({
            app,
            format: given.description ?? "xml",
            budget: given["description-budget"],
            log,
          })
        : undefined,
      log,
    });
    log.info(`listening on ${server.url}/mcp${auth === undefined ? "" : ", for those with a token"}`);
    onListening?.(server.url, settings);
    const reason = await Promise.race([signals.first, opened.broken]);
    if (reason instanceof Refusal) refusal = reason;
    log.info(`shutting down: ${reason instanceof Refusal ? WRONG_SETTINGS : reason}`);
  } catch (error) {
    await opened?.close();
    throw error;
  } finally {
    auth?.close();
  }
  const closing = (async (): Promise<number> => {
    await server.close();
    await opened.close();
    return 0;
  })();
  const code = await Promise.race([
    closing,
    signals.second.then(() => 1),
    pause(LONGEST_SHUTDOWN_MS, 0, { ref: false }),
  ]);
  signals.close();
  if (refusal !== undefined) throw refusal;
  return code;
}
