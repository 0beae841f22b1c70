import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type AuthOutcome,
  authenticate,
  insufficientScope,
  METADATA_PATH,
  resourceMetadata,
  unauthorised,
} from "../auth/authenticate.ts";
import { ANONYMOUS, type Principal, UNRESTRICTED } from "../auth/principal.ts";
import { type createAgentSkillsIndex, isAgentSkillsPath } from "../ops/agent-skills-index.ts";
import type { Operations } from "../ops/operations.ts";
import { createRefreshHook, REFRESH_HOOK_PATH } from "../ops/refresh-hook.ts";
import { type McpTransports, routeMcp, routeMessages, routeSse } from "../transports/mcp-endpoint.ts";
import { MESSAGES_PATH } from "../transports/sse-endpoint.ts";
import { type Exchange, full, HttpRefusal, RPC, sendJson, sendNotFound, sendRefusal } from "./exchange.ts";
import {
  createHostPolicy,
  isFromElsewhere,
  isKnownHost,
  isKnownOrigin,
  mayReadAnswers,
} from "./host-guard.ts";
import type { HttpServerOptions, Page } from "./options.ts";

export interface RouterOptions extends Omit<HttpServerOptions, "page"> {
  readonly transports: McpTransports;
  readonly operations: Operations;
  readonly agentSkills: ReturnType<typeof createAgentSkillsIndex>;
  readonly page: Page | undefined;
  readonly isDraining: () => boolean;
}

interface Route {
  /** Of the metrics. */
  readonly name: string;
  readonly serve: (exchange: Exchange) => void | Promise<void>;
  /** Whether a path needs no credentials. */
  readonly isOpen?: (path: string) => boolean;
  /** Admits requests without a token, which the route itself restricts to this machine. */
  readonly admitsAnonymous?: true;
}

const ALWAYS = (): boolean => true;

function createRoutes(options: RouterOptions): (path: string) => Route | undefined {
  const { transports, operations, page, auth } = options;
  const hook = createRefreshHook(options.refreshHook, options.log);
  const metadata: Route = {
    name: "metadata",
    serve: ({ response, base }) => sendJson(response, 200, resourceMetadata(base, auth?.issuer)),
    isOpen: ALWAYS,
  };
  const routes: ReadonlyMap<string, Route> = new Map([
    ["/mcp", { name: "mcp", serve: (exchange) => routeMcp(transports, exchange) }],
    ["/sse", { name: "sse", serve: (exchange) => routeSse(transports, exchange) }],
    [MESSAGES_PATH, { name: "messages", serve: (exchange) => routeMessages(transports, exchange) }],
    ["/healthz", { name: "healthz", serve: operations.health, isOpen: ALWAYS }],
    ["/readyz", { name: "readyz", serve: operations.ready, isOpen: ALWAYS }],
    ["/metrics", { name: "metrics", serve: operations.sendMetrics, admitsAnonymous: true }],
    // The signature is the authentication.
    [REFRESH_HOOK_PATH, { name: "hooks", serve: hook, isOpen: () => true }],
    [METADATA_PATH, metadata],
    [`${METADATA_PATH}/mcp`, metadata],
  ]);
  const agentSkills: Route = { name: "agent-skills", serve: options.agentSkills };
  const dashboard: Route | undefined = page && { name: "page", serve: page.serve, isOpen: page.isOpen };
  return (path) => routes.get(path) ?? (isAgentSkillsPath(path) ? agentSkills : dashboard);
}

/** Answers every request: host, origin and credentials are checked first, in this order. Resolves with the route's name. */
export function createRouter(options: RouterOptions) {
  const { auth, isDraining, publicUrl, log } = options;
  const routeOf = createRoutes(options);
  const passesGuards = createGuards(options);

  async function admit(
    request: IncomingMessage,
    path: string,
    base: string,
    route: Route,
  ): Promise<Principal> {
    const outcome: AuthOutcome =
      auth === undefined
        ? { kind: "granted", principal: UNRESTRICTED }
        : await authenticate(request, auth.verifiers);
    const isOpen = route.isOpen?.(path) === true;
    if (outcome.kind === "granted") {
      if (isOpen || outcome.principal.scopes.has("skills:read")) return outcome.principal;
      throw insufficientScope("skills:read", base);
    }
    if (isOpen || (route.admitsAnonymous === true && outcome.kind === "anonymous")) return ANONYMOUS;
    throw unauthorised(outcome, base);
  }

  async function answer(asked: Pick<Exchange, "request" | "response" | "path" | "query">, route: Route) {
    const { request, response, path } = asked;
    if (isDraining() && route.isOpen !== ALWAYS) {
      response.setHeader("connection", "close");
      throw full("The server is shutting down.");
    }
    const base = (publicUrl?.href ?? `http://${request.headers.host ?? ""}`).replace(/\/$/, "");
    const isRemote = isFromElsewhere(request, publicUrl);
    await route.serve({ ...asked, base, isRemote, principal: await admit(request, path, base, route) });
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<string> => {
    let name = "other";
    try {
      if (!passesGuards(request, response)) return name;
      const { path, query } = splitAddress(request);
      const route = routeOf(path);
      name = route?.name ?? name;
      if (route === undefined) sendNotFound(response);
      else await answer({ request, response, path, query }, route);
    } catch (error) {
      const isRefusal = error instanceof HttpRefusal;
      if (!isRefusal) log.error(`request failed: ${error instanceof Error ? error.stack : String(error)}`);
      sendRefusal(response, isRefusal ? error : INTERNAL_ERROR);
    }
    return name;
  };
}

const INTERNAL_ERROR = new HttpRefusal(500, "Internal server error", {}, RPC.internalError);

/** Host, Origin and CORS. False: it was a preflight request, and is answered. */
function createGuards(options: RouterOptions) {
  const policy = createHostPolicy(options);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { host, origin } = request.headers;
    const { localAddress } = request.socket;
    if (!isKnownHost(policy, host, localAddress))
      throw new HttpRefusal(403, "Host not allowed; see --allowed-hosts.");
    if (!isKnownOrigin(policy, origin, localAddress))
      throw new HttpRefusal(403, "Origin not allowed; see --allowed-origins.");
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

function splitAddress({ url = "/" }: IncomingMessage) {
  const mark = url.indexOf("?");
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
