import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../system/log.ts";
import { authenticate, sendInsufficientScope, sendUnauthorised } from "../auth/authenticate.ts";
import { ANYONE, type Outcome, type Principal, type TokenVerifier } from "../auth/principal.ts";
import { METADATA_PATH, metadataUrl, resourceMetadata } from "../auth/resource-metadata.ts";
import { AGENT_SKILLS_PATH, type createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import type { Operations } from "../ops/operations.ts";
import { type McpEndpoints, serveMcp, serveMessages, serveSse } from "../transports/mcp-endpoint.ts";
import { MESSAGES_PATH } from "../transports/sse-endpoint.ts";
import type { Exchange } from "./exchange.ts";
import { type HostPolicy, isKnownHost, isKnownOrigin, mayReadAnswers } from "./host-guard.ts";
import type { Page } from "./page.ts";
import { RPC, sendFull, sendJson, sendRpcError } from "./reply.ts";

export interface RouterOptions {
  readonly policy: HostPolicy;
  /** Undefined: nobody needs to say who they are. */
  readonly verifiers: readonly TokenVerifier[] | undefined;
  readonly issuer: string | undefined;
  readonly publicUrl: URL | undefined;
  readonly endpoints: McpEndpoints;
  readonly operations: Operations;
  readonly agentSkills: ReturnType<typeof createAgentSkillsIndex>;
  readonly page: Page | undefined;
  readonly isDraining: () => boolean;
  readonly log: Log;
}

type Route =
  | "mcp"
  | "sse"
  | "messages"
  | "healthz"
  | "readyz"
  | "metrics"
  | "metadata"
  | "agent-skills"
  | "page";

/** Those who only ask whether we live need not say who they are. */
const OPEN_ROUTES: ReadonlySet<Route> = new Set(["healthz", "readyz", "metadata"]);

/** Answers every request: host, origin and credentials first, in this order, whatever it is for. */
export function createRouter(options: RouterOptions) {
  const { policy, verifiers, endpoints, operations, agentSkills, page, isDraining, log } = options;

  async function admit(exchange: Omit<Exchange, "principal">, route: Route): Promise<Exchange | undefined> {
    const { request, response, path, base } = exchange;
    const outcome: Outcome =
      verifiers === undefined
        ? { kind: "granted", principal: ANYONE }
        : await authenticate(request, verifiers);
    const isOpen = OPEN_ROUTES.has(route) || (route === "page" && page?.isOpen(path) === true);
    if (outcome.kind !== "granted") {
      // Metrics are also for the machine itself, which has no token.
      if (isOpen || (route === "metrics" && outcome.kind === "anonymous"))
        return { ...exchange, principal: NOBODY };
      sendUnauthorised(response, outcome, metadataUrl(base));
      return undefined;
    }
    const { principal } = outcome;
    if (isOpen || principal.scopes.has("skills:read")) return { ...exchange, principal };
    sendInsufficientScope(response, "skills:read", metadataUrl(base));
    return undefined;
  }

  async function serve(exchange: Exchange, route: Route): Promise<void> {
    const { response } = exchange;
    switch (route) {
      case "mcp":
        return serveMcp(endpoints, exchange);
      case "sse":
        return serveSse(endpoints, exchange);
      case "messages":
        return serveMessages(endpoints, exchange);
      case "healthz":
        return operations.health(exchange);
      case "readyz":
        return operations.ready(exchange);
      case "metrics":
        return operations.sendMetrics(exchange);
      case "metadata":
        return sendJson(response, 200, resourceMetadata(exchange.base, options.issuer));
      case "agent-skills":
        return agentSkills(exchange);
      case "page":
        return page === undefined ? sendNotFound(response) : page.serve(exchange);
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Route | "other"> {
    const { host, origin } = request.headers;
    const { localAddress } = request.socket;
    if (!isKnownHost(policy, host, localAddress)) {
      refuse(response, "This server does not go by the name in the Host header (see --allowed-hosts).");
      return "other";
    }
    if (!isKnownOrigin(policy, origin, localAddress)) {
      refuse(response, "Pages of this origin may not use this server (see --allowed-origins).");
      return "other";
    }
    if (origin !== undefined && mayReadAnswers(policy, origin)) {
      for (const [name, value] of corsHeaders(origin)) response.setHeader(name, value);
      if (request.method === "OPTIONS") {
        response.writeHead(204).end();
        return "other";
      }
    }
    const { path, query } = splitAddress(request.url ?? "/");
    const route = routeOf(path, page !== undefined);
    if (route === undefined) {
      sendNotFound(response);
      return "other";
    }
    if (isDraining() && !OPEN_ROUTES.has(route)) {
      response.setHeader("connection", "close");
      sendFull(response, "The server is shutting down.");
      return route;
    }
    const base = (options.publicUrl?.href ?? `http://${host ?? ""}`).replace(/\/$/, "");
    const exchange = await admit({ request, response, path, query, base }, route);
    if (exchange !== undefined) await serve(exchange, route);
    return route;
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<string> => {
    try {
      return await answer(request, response);
    } catch (error) {
      log.error(
        `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      sendRpcError(response, 500, -32_603, "Internal server error");
      return "other";
    }
  };
}

const NOBODY: Principal = { subject: undefined, scopes: new Set(), expiresAt: undefined };

function routeOf(path: string, hasPage: boolean): Route | undefined {
  switch (path) {
    case "/mcp":
    case "/sse":
    case "/healthz":
    case "/readyz":
    case "/metrics":
      return path.slice(1) as Route;
    case MESSAGES_PATH:
      return "messages";
    case METADATA_PATH:
    case `${METADATA_PATH}/mcp`:
      return "metadata";
  }
  if (path.startsWith(AGENT_SKILLS_PATH)) return "agent-skills";
  return hasPage ? "page" : undefined;
}

function splitAddress(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf("?");
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

/** For pages of the origins that were listed; browsers ask before they send JSON or a token. */
function corsHeaders(origin: string): readonly (readonly [string, string])[] {
  return [
    ["access-control-allow-origin", origin],
    ["vary", "Origin"],
    ["access-control-allow-methods", "GET, POST, DELETE, OPTIONS"],
    [
      "access-control-allow-headers",
      "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
    ],
    ["access-control-expose-headers", "Mcp-Session-Id, WWW-Authenticate"],
    ["access-control-max-age", "600"],
  ];
}

function refuse(response: ServerResponse, message: string): void {
  sendRpcError(response, 403, RPC.refused, message);
}

function sendNotFound(response: ServerResponse): void {
  sendJson(response, 404, { error: "There is nothing here. MCP is at /mcp." });
}
