import { onTestFinished } from "vitest";
import { type Log, NO_LOG, requestsObservedBy } from "#util";
import { compose } from "../../packages/server/src/compose.ts";
import { type AuthSettings, openAuth } from "../../packages/server/src/http/auth/open-auth.ts";
import { createMetrics } from "../../packages/server/src/http/ops/metrics.ts";
import { createAccessLog } from "../../packages/server/src/http/server/access-log.ts";
import { createHttpServer } from "../../packages/server/src/http/server/create-http-server.ts";
import type { HttpServer } from "../../packages/server/src/http/server/listener.ts";
import type { HttpServerOptions } from "../../packages/server/src/http/server/options.ts";
import { DEFAULT_TOOLS, withLibraryTools } from "../../packages/server/src/mcp/definitions/tool-sets.ts";
import { createServerFactory } from "../../packages/server/src/mcp/server/create-server.ts";
import type { AppOptions } from "../../packages/server/src/options.ts";
import type { Services } from "../../packages/server/src/services.ts";
import { logTo } from "./log.ts";
import type { Sandbox } from "./sandbox.ts";

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

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
} as const;

/** A request of the modern era, which says all about itself. */
export function modernRequest(id: number, method: string, params: object = {}): object {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } };
}

export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

export function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Opens a session and returns its id. */
export async function openSession(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<string> {
  const answer = await post(`${url}${path}`, INITIALIZE, headers);
  await answer.text();
  const id = answer.headers.get("mcp-session-id");
  if (answer.status !== 200 || id === null) throw new Error(`No session was opened: ${answer.status}`);
  await (
    await post(
      `${url}${path}`,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { ...headers, "mcp-session-id": id },
    )
  ).text();
  return id;
}

/** The value of a metric without labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}
