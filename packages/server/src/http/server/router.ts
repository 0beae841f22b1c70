import type { IncomingMessage, ServerResponse } from "node:http";
import { isSitePath } from "#install";
import { defined } from "#util/pure";
import {
  type AuthOutcome,
  authenticate,
  insufficientScope,
  METADATA_PATH,
  resourceMetadata,
  unauthorised,
} from "../auth/authenticate.ts";
import { ANONYMOUS, type Principal, UNRESTRICTED } from "../auth/principal.ts";
import type { createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import type { Operations } from "../ops/operations.ts";
import { createRefreshHook, REFRESH_HOOK_PATH } from "../ops/refresh-hook.ts";
import { CARD_PATH, CATALOG_PATH, type createServerCard } from "../ops/server-card.ts";
import { type McpTransports, routeMcp, routeMessages, routeSse } from "../transports/mcp-endpoint.ts";
import { MESSAGES_PATH } from "../transports/sse-endpoint.ts";
import {
  type Exchange,
  full,
  HttpRefusal,
  RPC,
  refuseTooOften,
  sendJson,
  sendNotFound,
  sendRefusal,
} from "./exchange.ts";
import {
  createHostPolicy,
  type HostPolicy,
  isFromAnotherSite,
  isFromElsewhere,
  isKnownHost,
  isKnownOrigin,
  mayReadAnswers,
} from "./host-guard.ts";
import type { DashboardPage, HttpServerOptions } from "./options.ts";
import { inProfile } from "./profile-of.ts";

export interface RouterOptions extends Omit<HttpServerOptions, "page"> {
  readonly transports: McpTransports;
  readonly operations: Operations;
  readonly agentSkills: ReturnType<typeof createAgentSkillsIndex>;
  readonly card: ReturnType<typeof createServerCard>;
  readonly page: DashboardPage | undefined;
  readonly isDraining: () => boolean;
}

interface Route {
  /** In metrics and in the access log. */
  readonly name: string;
  readonly serve: (exchange: Exchange) => void | Promise<void>;
  /** Whether a path needs no credentials. */
  readonly isOpen?: (path: string) => boolean;
  /** MCP: clients that run in a page on this machine may use it; their `Origin` was checked. */
  readonly admitsKnownOrigins?: true;
  /** What callers without credentials see of it; undefined: they need some. */
  readonly publicProfile?: () => string | undefined;
}

const ALWAYS = (): boolean => true;
const MCP = { admitsKnownOrigins: true } as const;

interface FoundRoute {
  readonly route: Route;
  /** The profile that the path names. */
  readonly profile?: string;
}

function createRoutes(options: RouterOptions): (path: string) => FoundRoute | undefined {
  const { transports, operations, page, auth, card, profiles } = options;
  const hook = createRefreshHook(options.refreshHook, options.log);
  const metadata: Route = {
    name: "metadata",
    serve: ({ response, base }) => sendJson(response, 200, resourceMetadata(base, auth?.issuer)),
    isOpen: ALWAYS,
  };
  const routes: ReadonlyMap<string, Route> = new Map([
    ["/mcp", { ...MCP, name: "mcp", serve: (exchange) => routeMcp(transports, exchange) }],
    ["/sse", { ...MCP, name: "sse", serve: (exchange) => routeSse(transports, exchange) }],
    [MESSAGES_PATH, { ...MCP, name: "messages", serve: (exchange) => routeMessages(transports, exchange) }],
    ["/healthz", { name: "healthz", serve: operations.health, isOpen: ALWAYS }],
    ["/readyz", { name: "readyz", serve: operations.ready, isOpen: ALWAYS }],
    ["/metrics", { name: "metrics", serve: operations.sendMetrics }],
    // The signature is the authentication.
    [REFRESH_HOOK_PATH, { name: "hooks", serve: hook, isOpen: () => true }],
    [CARD_PATH, { name: "card", serve: card.serveCard, isOpen: ALWAYS }],
    [CATALOG_PATH, { name: "card", serve: card.serveCatalog, isOpen: ALWAYS }],
    [METADATA_PATH, metadata],
    [`${METADATA_PATH}/mcp`, metadata],
  ]);
  const agentSkills: Route = {
    name: "agent-skills",
    serve: options.agentSkills,
    publicProfile() {
      const name = profiles?.ofInstallers;
      return name !== undefined && profiles?.has(name) === true ? name : undefined;
    },
  };
  const dashboard: Route | undefined = page && { name: "page", serve: page.serve, isOpen: page.isOpen };
  const api: Route | undefined = dashboard && { ...dashboard, name: "api" };
  return (path) => {
    const route = routes.get(path);
    if (route !== undefined) return { route };
    const [, endpoint = "", profile] = PROFILE_PATH.exec(path) ?? [];
    const inProfile = profile === undefined ? undefined : routes.get(endpoint);
    if (inProfile !== undefined && profile !== undefined) return { route: inProfile, profile };
    if (isSitePath(path)) return { route: agentSkills };
    const other = path.startsWith("/api/") ? api : dashboard;
    return other && { route: other };
  };
}

/** `/mcp/<profile>`, `/sse/<profile>`, and where clients look for the metadata of the first. */
const PROFILE_PATH = new RegExp(`^(/mcp|/sse|${METADATA_PATH}/mcp)/([^/]+)$`);

/** What became of a request. */
export interface Routed {
  /** The name of its route. */
  readonly route: string;
  /** Who sent it; undefined where nobody knows. */
  readonly caller: string | undefined;
}

/**
 * Answers every request: host, origin, site, credentials and rate are checked first, in this order, and before anything of
 * a body is read.
 */
export function createRouter(options: RouterOptions) {
  const { auth, isDraining, publicUrl, log, transports } = options;
  const routeOf = createRoutes(options);
  const policy = createHostPolicy(options);
  const passesGuards = createGuards(policy, options.card.isForEveryOrigin);
  const admit = createAdmission(auth);

  async function answer(
    asked: Pick<Exchange, "request" | "response" | "path" | "query">,
    { route, profile }: FoundRoute,
    onCaller: (caller: string | undefined) => void,
  ) {
    const { request, response, path } = asked;
    if (isDraining() && route.isOpen !== ALWAYS) {
      response.setHeader("connection", "close");
      // A balancer sent it before it knew, and not every one would try another replica.
      const isLate = options.fleet !== undefined && request.method === "POST";
      if (!isLate) throw full("The server is shutting down.");
    }
    const { headers } = request;
    const isOpen = route.isOpen?.(path) === true;
    const isKnown = route.admitsKnownOrigins === true && headers.origin !== undefined;
    if (!isOpen && !isKnown && isFromAnotherSite(policy, headers))
      throw new HttpRefusal(403, "Requests of other sites are refused; see --allowed-origins.");
    const base = (publicUrl?.href ?? `http://${headers.host ?? ""}`).replace(/\/$/, "");
    const isRemote = isFromElsewhere(request, publicUrl);
    const admitted = await admit(request, path, base, route);
    const principal = isOpen ? admitted : inProfile(admitted, profile, options.profiles);
    onCaller(principal.subject);
    if (!isOpen) refuseTooOften(await transports.rates.request(principal.subject));
    await route.serve({ ...asked, base, isRemote, principal });
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<Routed> => {
    let name = "other";
    let caller: string | undefined;
    try {
      const { path, query } = splitAddress(request);
      if (!passesGuards(request, response, path)) return { route: name, caller };
      const found = routeOf(path);
      name = found?.route.name ?? name;
      if (found === undefined) sendNotFound(response);
      else
        await answer({ request, response, path, query }, found, (subject) => {
          caller = subject;
        });
    } catch (error) {
      const isRefusal = error instanceof HttpRefusal;
      if (!isRefusal) log.error(`request failed: ${error instanceof Error ? error.stack : String(error)}`);
      sendRefusal(response, isRefusal ? error : INTERNAL_ERROR);
    }
    return { route: name, caller };
  };
}

/** Who sent a request, or a refusal: its route decides whether it needs credentials. */
function createAdmission(auth: HttpServerOptions["auth"]) {
  return async (request: IncomingMessage, path: string, base: string, route: Route): Promise<Principal> => {
    const outcome: AuthOutcome =
      auth === undefined
        ? { kind: "granted", principal: UNRESTRICTED }
        : await authenticate(request, auth.verifiers);
    const isOpen = route.isOpen?.(path) === true;
    const publicProfile = route.publicProfile?.();
    if (outcome.kind === "granted") {
      const { principal } = outcome;
      // On a server without tokens, everyone is somebody whom nobody knows.
      const seen = {
        ...principal,
        ...(principal.subject === undefined ? defined({ profile: publicProfile }) : {}),
      };
      if (isOpen || principal.scopes.has("skills:read")) return seen;
      throw insufficientScope("skills:read", base);
    }
    if (isOpen) return ANONYMOUS;
    // Asked once: the profiles may change meanwhile, and without one everything would be seen.
    if (outcome.kind === "anonymous" && publicProfile !== undefined)
      return { ...ANONYMOUS, profile: publicProfile };
    throw unauthorised(outcome, base);
  };
}

const INTERNAL_ERROR = new HttpRefusal(500, "Internal server error", {}, RPC.internalError);

/** Host, Origin and CORS. False: it was a preflight request, and is answered. */
function createGuards(policy: HostPolicy, isForEveryOrigin: (path: string) => boolean) {
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    const { host, origin } = request.headers;
    const { localAddress } = request.socket;
    // Pages of other origins can neither show an answer as an image or a script, nor learn that there is one.
    response.setHeader("cross-origin-resource-policy", "same-origin");
    // A proxy could have checked the other one.
    if ((request.headersDistinct["host"]?.length ?? 0) > 1)
      throw new HttpRefusal(400, "A request has one Host header.");
    if (!isKnownHost(policy, host, localAddress))
      throw new HttpRefusal(403, "Host not allowed; see --allowed-hosts.");
    if (!isKnownOrigin(policy, origin, localAddress) && !isForEveryOrigin(path))
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
