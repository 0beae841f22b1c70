import type { ServerResponse } from "node:http";
import { onlyFilesChanged, updatedResources } from "../../mcp/resources/updated-resources.ts";
import { createRateLimiter } from "../auth/rates.ts";
import { createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import { createOperations, type Operations } from "../ops/operations.ts";
import { createModernEndpoint } from "../transports/modern-endpoint.ts";
import { type ServerFactory, Sessions } from "../transports/sessions.ts";
import { createSseEndpoint } from "../transports/sse-endpoint.ts";
import { createStreamableEndpoint } from "../transports/streamable-endpoint.ts";
import { type HttpServer, listenOn, type Service } from "./listener.ts";
import { OpenStreams } from "./open-streams.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits, type HttpServerOptions } from "./options.ts";
import { createRouter } from "./router.ts";

/** Opens the port and serves MCP, the operator's pages and the dashboard on it, until it is closed. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits: HttpLimits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  return listenOn(options, createService(options, limits), limits);
}

function createService(options: HttpServerOptions, limits: HttpLimits): Service {
  const { app, auth, publicUrl, sseOnly } = options;
  const { keepAliveMs, uninitialisedMs, bodyBytes } = limits;
  let draining = false;
  const isDraining = (): boolean => draining;
  const { factory, eras } = countEras(options.factory);
  const streams = new OpenStreams();
  const sessions = new Sessions(factory, limits);
  const state = () => ({ sessions: sessions.size, streams: streams.size, eras: { ...eras } });

  const prefix = publicUrl?.pathname.replace(/\/$/, "") ?? "";
  const modern = createModernEndpoint({ factory, streams, ...limits });
  const sse = createSseEndpoint({ sessions, streams, prefix, keepAliveMs, uninitialisedMs });
  const streamable = createStreamableEndpoint({ sessions, streams, keepAliveMs });
  const rates = createRateLimiter(limits.rates);
  const operations = createOperations({ app, git: options.git, state, isDraining });
  const page = options.page?.({ streams, keepAliveMs, bodyBytes, state });
  const route = createRouter({
    ...options,
    transports: { modern, streamable, sse, sseOnly, bodyBytes, rates },
    operations,
    agentSkills: createAgentSkillsIndex(app),
    page,
    isDraining,
  });

  const stopAnnouncing = announceToSubscribers(app, modern);
  auth?.onRevoked((subjects) => {
    streams.endOf(subjects);
    sessions.endOf(subjects);
  });
  const inProgress = new Set<ServerResponse>();

  return {
    serve(request, response) {
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
      void measured(operations, streams, response, route(request, response));
    },
    async beginShutdown() {
      draining = true;
      page?.close();
      sessions.endListening();
      await modern.endSubscriptions();
    },
    isBusy: () => sessions.isBusy() || [...inProgress].some((response) => !streams.has(response)),
    async close() {
      stopAnnouncing();
      page?.close();
      operations.close();
      sessions.close();
      await modern.close();
    },
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

/** Sessions are notified by their own server; subscriptions have none. */
function announceToSubscribers(
  app: HttpServerOptions["app"],
  modern: ReturnType<typeof createModernEndpoint>,
): () => void {
  const stopChanges = app.onChange(() => modern.announceChange());
  const stopUpdates = app.onRefresh((event) => {
    if (onlyFilesChanged(event)) modern.announceFiles();
    for (const uri of updatedResources(event)) modern.announceUpdate(uri);
  });
  return () => {
    stopChanges();
    stopUpdates();
  };
}

async function measured(
  { metrics }: Operations,
  streams: OpenStreams,
  response: ServerResponse,
  routed: Promise<string>,
): Promise<void> {
  const start = performance.now();
  const name = await routed;
  const observe = (): void => {
    const seconds = streams.has(response) ? undefined : (performance.now() - start) / 1000;
    metrics.observe(name, response.statusCode, seconds);
  };
  // The response may still be in flight when its handler returns.
  if (response.writableFinished || response.destroyed) observe();
  else response.once("close", observe);
}
