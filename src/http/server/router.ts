import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type AuthOutcome,
  authenticate,
  METADATA_PATH,
  resourceMetadata,
  sendInsufficientScope,
  sendUnauthorised,
} from "../auth/authenticate.ts";
import { ANYONE, NOBODY } from "../auth/principal.ts";
import { AGENT_SKILLS_PATH, type createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import type { Operations } from "../ops/operations.ts";
import { type McpTransports, routeMcp, routeMessages, routeSse } from "../transports/mcp-endpoint.ts";
import { MESSAGES_PATH } from "../transports/sse-endpoint.ts";
import { type Exchange, RPC, sendFull, sendJson, sendNotFound, sendRpcError } from "./exchange.ts";
import { createHostPolicy, isKnownHost, isKnownOrigin, mayReadAnswers } from "./host-guard.ts";
import type { HttpServerOptions, Page } from "./options.ts";

export interface RouterOptions extends Omit<HttpServerOptions, "page"> {
  readonly transports: McpTransports;
  readonly operations: Operations;
  readonly agentSkills: ReturnType<typeof createAgentSkillsIndex>;
  readonly page: Page | undefined;
  readonly isDraining: () => boolean;
}

interface Route {
  readonly serve: (exchange: Exchange) => void | Promise<void>;
  /** Whether a path needs no credentials. */
  readonly isOpen?: (path: string) => boolean;
  /** Admits requests without a token, which the route itself restricts to this machine. */
  readonly admitsAnonymous?: true;
}

const ALWAYS = (): boolean => true;

function createRoutes(options: RouterOptions): Readonly<Record<string, Route>> {
  const { transports, operations, agentSkills, page } = options;
  return {
    mcp: { serve: (exchange) => routeMcp(transports, exchange) },
    sse: { serve: (exchange) => routeSse(transports, exchange) },
    messages: { serve: (exchange) => routeMessages(transports, exchange) },
    healthz: { serve: operations.health, isOpen: ALWAYS },
    readyz: { serve: operations.ready, isOpen: ALWAYS },
    metrics: { serve: operations.sendMetrics, admitsAnonymous: true },
    metadata: {
      serve: ({ response, base }) => sendJson(response, 200, resourceMetadata(base, options.auth?.issuer)),
      isOpen: ALWAYS,
    },
    "agent-skills": { serve: agentSkills },
    ...(page === undefined ? {} : { page: { serve: page.serve, isOpen: page.isOpen } }),
  };
}

const PATHS: Readonly<Record<string, string>> = {
  "/mcp": "mcp",
  "/sse": "sse",
  [MESSAGES_PATH]: "messages",
  "/healthz": "healthz",
  "/readyz": "readyz",
  "/metrics": "metrics",
  [METADATA_PATH]: "metadata",
  [`${METADATA_PATH}/mcp`]: "metadata",
};

function routeName(path: string): string {
  if (Object.hasOwn(PATHS, path)) return PATHS[path] ?? "page";
  return path.startsWith(AGENT_SKILLS_PATH) ? "agent-skills" : "page";
}

/** Answers every request: host, origin and credentials are checked first, in this order. Resolves with the route's name. */
export function createRouter(options: RouterOptions) {
  const { auth, isDraining, publicUrl, log } = options;
  const routes = createRoutes(options);
  const passesGuards = createGuards(options);

  /** Adds the principal, or sends the refusal. */
  async function admit(
    exchange: Omit<Exchange, "principal">,
    { isOpen, admitsAnonymous }: Route,
  ): Promise<Exchange | undefined> {
    const { request, response, path, base } = exchange;
    const outcome: AuthOutcome =
      auth === undefined
        ? { kind: "granted", principal: ANYONE }
        : await authenticate(request, auth.verifiers);
    const isFree = isOpen?.(path) === true;
    if (outcome.kind !== "granted") {
      if (isFree || (admitsAnonymous === true && outcome.kind === "anonymous"))
        return { ...exchange, principal: NOBODY };
      sendUnauthorised(response, outcome, base);
      return undefined;
    }
    const { principal } = outcome;
    if (isFree || principal.scopes.has("skills:read")) return { ...exchange, principal };
    sendInsufficientScope(response, "skills:read", base);
    return undefined;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<string> {
    if (!passesGuards(request, response)) return "other";
    const { path, query } = splitAddress(request.url ?? "/");
    const name = routeName(path);
    const route = routes[name];
    if (route === undefined) {
      sendNotFound(response);
      return "other";
    }
    if (isDraining() && route.isOpen !== ALWAYS) {
      response.setHeader("connection", "close");
      sendFull(response, "The server is shutting down.");
      return name;
    }
    const base = (publicUrl?.href ?? `http://${request.headers.host ?? ""}`).replace(/\/$/, "");
    const exchange = await admit({ request, response, path, query, base }, route);
    if (exchange !== undefined) await route.serve(exchange);
    return name;
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<string> => {
    try {
      return await answer(request, response);
    } catch (error) {
      log.error(`request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      sendRpcError(response, 500, -32_603, "Internal server error");
      return "other";
    }
  };
}

/** Host, Origin and CORS. False: the response is sent. */
function createGuards(options: RouterOptions) {
  const policy = createHostPolicy(options);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { host, origin } = request.headers;
    const { localAddress } = request.socket;
    if (!isKnownHost(policy, host, localAddress)) {
      sendRpcError(response, 403, RPC.refused, "Host not allowed; see --allowed-hosts.");
      return false;
    }
    if (!isKnownOrigin(policy, origin, localAddress)) {
      sendRpcError(response, 403, RPC.refused, "Origin not allowed; see --allowed-origins.");
      return false;
    }
    if (origin === undefined || !mayReadAnswers(policy, origin)) return true;
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
    response.setHeader("access-control-allow-origin", origin);
    if (request.method !== "OPTIONS") return true;
    response.writeHead(204).end();
    return false;
  };
}

/** For pages of allowed origins; browsers ask before they send JSON or a token. */
const CORS_HEADERS = {
  vary: "Origin",
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
  "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
  "access-control-max-age": "600",
} as const;

function splitAddress(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf("?");
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
