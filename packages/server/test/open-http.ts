import { onTestFinished } from "vitest";
import { type Log, NO_LOG } from "#util";
import { logTo } from "../../../test/support/log.ts";
import type { Sandbox } from "../../../test/support/sandbox.ts";
import { compose } from "../src/compose.ts";
import { type AuthSettings, openAuth } from "../src/http/auth/open-auth.ts";
import { createMetrics } from "../src/http/ops/metrics.ts";
import { createAccessLog } from "../src/http/server/access-log.ts";
import { createHttpServer } from "../src/http/server/create-http-server.ts";
import type { HttpServer } from "../src/http/server/listener.ts";
import type { HttpServerOptions } from "../src/http/server/options.ts";
import { DEFAULT_TOOLS, withLibraryTools } from "../src/mcp/definitions/tool-sets.ts";
import { requestsObservedBy } from "../src/mcp/observe/observers.ts";
import { createServerFactory } from "../src/mcp/server/create-server.ts";
import type { AppOptions } from "../src/options.ts";
import type { Services } from "../src/services.ts";

export interface OpenHttp {
  readonly services: Services;
  readonly server: HttpServer;
  readonly url: string;
  readonly log: () => string;
}

export interface OpenHttpOptions {
  readonly http?: Partial<HttpServerOptions>;
  readonly app?: Partial<AppOptions>;
  readonly auth?: Omit<AuthSettings, "log">;
  /** A page that shows the server's own services. */
  readonly page?: (app: Services) => HttpServerOptions["page"];
  /** Gets a line for each request. */
  readonly accessLog?: Log;
}

/** The whole server in this process, on a port that is free. Closed when the test ends. */
export async function openHttp(sandbox: Sandbox, options: OpenHttpOptions = {}): Promise<OpenHttp> {
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line));
  const metrics = createMetrics();
  const accessLog = createAccessLog(options.accessLog ?? NO_LOG);
  const { services, close } = compose({
    cwd: sandbox.project,
    userDir: sandbox.home,
    observe: metrics.activity.work,
    log,
    watch: true,
    ...options.app,
  });
  const tools =
    options.app?.library === undefined ? DEFAULT_TOOLS.loader : withLibraryTools(DEFAULT_TOOLS.loader);
  const factory = createServerFactory(services, {
    tools,
    toolNames: "dotted",
    descriptionFormat: "xml",
    descriptionBudget: undefined,
    announcesChanges: true,
    observation: {
      observe: requestsObservedBy([metrics.activity.requests, accessLog.requests]),
      transport: "tcp",
    },
    log,
  });
  const auth = options.auth === undefined ? undefined : await openAuth({ ...options.auth, log });
  const server = await createHttpServer({
    services,
    factory,
    git: () => [],
    host: "127.0.0.1",
    port: 0,
    sseOnly: false,
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    auth,
    page: options.page?.(services),
    metrics,
    accessLog,
    log,
    ...options.http,
    limits: { drainMs: 500, ...options.http?.limits },
  });
  onTestFinished(async () => {
    auth?.close();
    await server.close();
    await close();
  });
  return { services, server, url: server.url, log: () => lines.join("\n") };
}
