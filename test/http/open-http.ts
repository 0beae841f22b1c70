import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { type App, createApp } from "../../src/app/create-app.ts";
import type { AppOptions } from "../../src/app/options.ts";
import { type AuthSettings, openAuth } from "../../src/http/auth/open-auth.ts";
import { createHttpServer } from "../../src/http/server/create-http-server.ts";
import type { HttpServer } from "../../src/http/server/listener.ts";
import type { HttpServerOptions } from "../../src/http/server/options.ts";
import { DEFAULT_TOOLS, withLibraryTools } from "../../src/mcp/definitions/tool-sets.ts";
import { createServerFactory } from "../../src/mcp/server/create-server.ts";
import { logTo } from "../support/log.ts";
import type { Sandbox } from "../support/sandbox.ts";

export interface OpenHttp {
  readonly app: App;
  readonly server: HttpServer;
  readonly url: string;
  readonly log: () => string;
}

export interface OpenHttpOptions {
  readonly http?: Partial<HttpServerOptions>;
  readonly app?: Partial<AppOptions>;
  readonly auth?: Omit<AuthSettings, "log">;
}

/** The whole server in this process, on a port that is free. Closed when the test ends. */
export async function openHttp(sandbox: Sandbox, options: OpenHttpOptions = {}): Promise<OpenHttp> {
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line));
  const { app, close } = createApp({
    cwd: sandbox.project,
    userDir: sandbox.home,
    log,
    watch: true,
    ...options.app,
  });
  const tools =
    options.app?.library === undefined ? DEFAULT_TOOLS.loader : withLibraryTools(DEFAULT_TOOLS.loader);
  const factory = createServerFactory(app, {
    tools,
    toolNames: "dotted",
    descriptionFormat: "xml",
    descriptionBudget: undefined,
    announcesChanges: true,
    log,
  });
  const auth = options.auth === undefined ? undefined : await openAuth({ ...options.auth, log });
  const server = await createHttpServer({
    app,
    factory,
    git: () => [],
    host: "127.0.0.1",
    port: 0,
    sseOnly: false,
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    auth,
    page: undefined,
    log,
    ...options.http,
    limits: { drainMs: 500, ...options.http?.limits },
  });
  onTestFinished(async () => {
    auth?.close();
    await server.close();
    await close();
  });
  return { app, server, url: server.url, log: () => lines.join("\n") };
}

/** The three ways in which real clients connect. */
export const WAYS = ["2025-11-25", "2026-07-28", "sse"] as const;
export type Way = (typeof WAYS)[number];

export interface HttpConnection {
  readonly client: Client;
  /** How often it was told that the tools changed, and that the resources did. */
  readonly announced: () => number;
  readonly filesAnnounced: () => number;
  readonly transport: StreamableHTTPClientTransport | SSEClientTransport;
}

/** A real client. Closed when the test ends. */
export async function connectHttp(
  url: string,
  way: Way,
  options: { readonly token?: string; readonly path?: string; readonly clientName?: string } = {},
): Promise<HttpConnection> {
  let announced = 0;
  let filesAnnounced = 0;
  const requestInit =
    options.token === undefined ? {} : { headers: { authorization: `Bearer ${options.token}` } };
  const address = new URL(options.path ?? "/mcp", url);
  const transport =
    way === "sse"
      ? new SSEClientTransport(address, { requestInit })
      : new StreamableHTTPClientTransport(address, { requestInit });
  const client = new Client(
    { name: options.clientName ?? "test", version: "1.0.0" },
    {
      ...(way === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void announced++ },
        resources: { autoRefresh: false, debounceMs: 0, onChanged: () => void filesAnnounced++ },
      },
    },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, announced: () => announced, filesAnnounced: () => filesAnnounced };
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
): Promise<string> {
  const answer = await post(`${url}/mcp`, INITIALIZE, headers);
  await answer.text();
  const id = answer.headers.get("mcp-session-id");
  if (answer.status !== 200 || id === null) throw new Error(`No session was opened: ${answer.status}`);
  await (
    await post(
      `${url}/mcp`,
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
