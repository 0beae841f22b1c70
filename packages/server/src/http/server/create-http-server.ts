import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";
import { createRateLimiter, createSharedRates, type RateLimiter } from "../auth/rates.ts";
import { createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import { createMetrics, type Metrics } from "../ops/metrics.ts";
import { createOperations } from "../ops/operations.ts";
import { createServerCard } from "../ops/server-card.ts";
import { type ClientLog, createClientLog } from "../transports/client-log.ts";
import { createModernEndpoint } from "../transports/modern-endpoint.ts";
import { type ServerFactory, Sessions } from "../transports/sessions.ts";
import { SharedSessions } from "../transports/shared-sessions.ts";
import { createSseEndpoint } from "../transports/sse-endpoint.ts";
import { createStreamableEndpoint } from "../transports/streamable-endpoint.ts";
import { type AccessLog, identify } from "./access-log.ts";
import { type HttpServer, listenOn, type Service } from "./listener.ts";
import { OpenStreams } from "./open-streams.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits, type HttpServerOptions, type PageContext } from "./options.ts";
import { viewFor } from "./profile-of.ts";
import { createBodyReader } from "./read-body.ts";
import { createRouter, type Routed } from "./router.ts";

/** Together with the time for requests in progress it stays below that of supervisors. */
const REPLICA_LINGER_MS = 1_000;

/** Opens the port and serves MCP, the operator's pages and the dashboard on it, until it is closed. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const ofReplica = options.fleet === undefined ? {} : { lingerMs: REPLICA_LINGER_MS };
  const limits: HttpLimits = { ...DEFAULT_HTTP_LIMITS, ...ofReplica, ...options.limits };
  return listenOn(options, createService(options, limits), limits);
}

/** Everything that answers requests, for a port that somebody opens. */
export function createService(options: HttpServerOptions, limits: HttpLimits): Service {
  const { auth, metrics = createMetrics(), accessLog } = options;
  let draining = false;
  const { factory, eras } = countEras(options.factory);
  const streams = new OpenStreams();
  const clients = createClientLog();
  const { sessions, shared, ...endpoints } = openEndpoints(options, limits, { factory, streams, clients });
  const { modern } = endpoints;
  const state = () => ({
    sessions: sessions.size,
    streams: streams.size,
    eras: { ...eras },
    ...(options.fleetHealth && { fleet: options.fleetHealth() }),
  });

  const { operations, page, route } = openRoutes(options, limits, {
    ...{ endpoints, streams, clients, metrics, state },
    isDraining: () => draining,
  });

  auth?.onRevoked((subjects) => {
    streams.endOf(subjects);
    sessions.endOf(subjects);
    shared?.revoked(subjects);
  });
  const inProgress = new Set<ServerResponse>();

  return {
    serve(request, response) {
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
      identify(request, response);
      void measured({ metrics, accessLog, streams }, request, response, route(request, response));
    },
    async beginShutdown() {
      draining = true;
      page?.close();
      sessions.endListening();
      await modern.endSubscriptions();
    },
    isBusy: () => sessions.isBusy() || [...inProgress].some((response) => !streams.has(response)),
    async close() {
      page?.close();
      operations.close();
      await shared?.close();
      sessions.close();
      await modern.close();
    },
  };
}

interface Served {
  readonly endpoints: Pick<ReturnType<typeof openEndpoints>, "modern" | "streamable" | "sse">;
  readonly streams: OpenStreams;
  readonly clients: ReturnType<typeof createClientLog>;
  readonly metrics: Metrics;
  readonly state: PageContext["state"];
  readonly isDraining: () => boolean;
}

/** Everything that answers at a path. */
function openRoutes(options: HttpServerOptions, limits: HttpLimits, served: Served) {
  const { services, git, auth, sseOnly } = options;
  const { endpoints, streams, clients, metrics, state, isDraining } = served;
  const { keepAliveMs, sessionsPerSubject } = limits;
  const viewOf = (caller: Principal) => viewFor(options, caller);
  const rates = ratesOf(services, limits);
  const readBody = createBodyReader(limits);
  const operations = createOperations({
    skills: services.skills,
    status: services.checks.status,
    git,
    state,
    isDraining,
    hasTokens: auth !== undefined,
    isCounted: () => (options.profiles?.names().length ?? 0) === 0,
    metrics,
  });
  const page = options.page?.({
    ...{ viewFor: viewOf, streams, keepAliveMs, readBody, rates, sessionsPerSubject, state },
    clients: clients.list,
  });
  const route = createRouter({
    ...options,
    transports: { ...endpoints, sseOnly, readBody, rates },
    operations,
    agentSkills: createAgentSkillsIndex(viewOf),
    card: createServerCard(options),
    page,
    isDraining,
  });
  return { operations, page, route };
}

function ratesOf({ sharedRates }: HttpServerOptions["services"], { rates }: HttpLimits): RateLimiter {
  return sharedRates === undefined ? createRateLimiter(rates) : createSharedRates(rates, sharedRates);
}

/** The three transports, and the sessions of the older two. */
function openEndpoints(
  { fleet, publicUrl, services, profiles }: HttpServerOptions,
  limits: HttpLimits,
  {
    factory,
    streams,
    clients,
  }: { readonly factory: ServerFactory; readonly streams: OpenStreams; readonly clients: ClientLog },
) {
  const { keepAliveMs } = limits;
  const viewOf = (profile: string | undefined) =>
    profile === undefined || profiles === undefined ? services.skills : profiles.viewOf(profile).skills;
  const sessions = new Sessions(factory, limits, clients, fleet !== undefined);
  const shared = fleet && new SharedSessions({ ...limits, fleet, sessions, streams });
  const prefix = publicUrl?.pathname.replace(/\/$/, "") ?? "";
  return {
    sessions,
    shared,
    modern: createModernEndpoint({ factory, viewOf, streams, clients, fleet, ...limits }),
    sse: createSseEndpoint({ ...limits, sessions, streams, prefix, fleet }),
    streamable: createStreamableEndpoint({ sessions, streams, keepAliveMs, shared }),
  };
}

function countEras(factory: ServerFactory) {
  const eras = { legacy: 0, modern: 0 };
  const counted: ServerFactory = (context) => {
    eras[context.era]++;
    return factory(context);
  };
  return { factory: counted, eras };
}

interface Measures {
  readonly metrics: Metrics;
  readonly accessLog: AccessLog | undefined;
  readonly streams: OpenStreams;
}

async function measured(
  { metrics, accessLog, streams }: Measures,
  request: IncomingMessage,
  response: ServerResponse,
  routed: Promise<Routed>,
): Promise<void> {
  const start = performance.now();
  const { route, caller } = await routed;
  const observe = (): void => {
    const durationMs = performance.now() - start;
    metrics.observe(route, response.statusCode, streams.has(response) ? undefined : durationMs / 1_000);
    accessLog?.exchange({ request, response, route, durationMs, caller });
  };
  // The response may still be in flight when its handler returns.
  if (response.writableFinished || response.destroyed) observe();
  else response.once("close", observe);
}
