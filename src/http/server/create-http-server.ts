import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { App } from "../../app/create-app.ts";
import type { RepoState } from "../../app/library/git-libraries.ts";
import { onlyFilesChanged, updatedResources } from "../../mcp/resources/updated-resources.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import type { TokenVerifier } from "../auth/principal.ts";
import { createRateLimiter } from "../auth/rates.ts";
import { createAgentSkillsIndex } from "../ops/agent-skills-index.ts";
import { createOperations } from "../ops/operations.ts";
import { createModernEndpoint } from "../transports/modern-endpoint.ts";
import { createSessions, type ServerFactory } from "../transports/sessions.ts";
import { createSseEndpoint } from "../transports/sse-endpoint.ts";
import { createStreamableEndpoint } from "../transports/streamable-endpoint.ts";
import { bracketed, createHostPolicy } from "./host-guard.ts";
import { DEFAULT_LIMITS, type HttpLimits } from "./limits.ts";
import { createOpenStreams } from "./open-streams.ts";
import type { Page, PageContext } from "./page.ts";
import { createRouter } from "./router.ts";

export interface HttpServerOptions {
  readonly app: App;
  readonly factory: ServerFactory;
  readonly git: () => readonly RepoState[];
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** True: only HTTP+SSE is served. */
  readonly sseOnly: boolean;
  /** Our address as clients know it, where a proxy stands in front. */
  readonly publicUrl: URL | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly auth: HttpAuth | undefined;
  /** Undefined: there is nothing for people. */
  readonly page: ((context: PageContext) => Page) | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly log: Log;
}

export interface HttpAuth {
  readonly verifiers: readonly TokenVerifier[];
  readonly issuer: string | undefined;
  /** Calls back with the subjects whose credentials were withdrawn. */
  onRevoked(listener: (subjects: ReadonlySet<string>) => void): void;
}

export interface HttpServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Lets requests under way finish, for a while, and ends everything else at once. Closing twice is fine. */
  close(): Promise<void>;
}

/** Opens the port and serves MCP on it. It is closed with `close`, and so is everything that it opened. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, host, port, publicUrl, auth, log } = options;
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const { keepAliveMs } = limits;
  let draining = false;
  const isDraining = (): boolean => draining;
  const streams = createOpenStreams();
  const sessions = createSessions(limits);
  const eras = { legacy: 0, modern: 0 };
  const factory: ServerFactory = (context) => {
    eras[context.era]++;
    return options.factory(context);
  };
  const modern = createModernEndpoint({
    factory,
    streams,
    keepAliveMs,
    subscriptions: limits.subscriptions,
    subscriptionsPerSubject: limits.sessionsPerSubject,
  });
  const prefix = publicUrl?.pathname.replace(/\/$/, "") ?? "";
  const sse = createSseEndpoint({
    factory,
    sessions,
    streams,
    prefix,
    keepAliveMs,
    uninitialisedMs: limits.uninitialisedMs,
  });
  const streamable = createStreamableEndpoint({ factory, sessions, streams, keepAliveMs });
  const operations = createOperations({
    app,
    git: options.git,
    sessions: () => sessions.size,
    streams: () => streams.size,
    isDraining,
  });
  const page = options.page?.({
    streams,
    keepAliveMs,
    bodyBytes: limits.bodyBytes,
    state: () => ({ sessions: sessions.size, streams: streams.size, eras: { ...eras } }),
  });
  const route = createRouter({
    policy: createHostPolicy(options),
    verifiers: auth?.verifiers,
    issuer: auth?.issuer,
    publicUrl,
    endpoints: {
      modern,
      streamable,
      sse,
      sseOnly: options.sseOnly,
      bodyBytes: limits.bodyBytes,
      rates: createRateLimiter(limits.rates),
    },
    operations,
    agentSkills: createAgentSkillsIndex(app),
    page,
    isDraining,
    log,
  });

  const underWay = new Set<ServerResponse>();
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: KEEP_CONNECTION_MS,
    },
    (request, response) => {
      const start = performance.now();
      underWay.add(response);
      response.once("close", () => underWay.delete(response));
      void route(request, response).then((name) => {
        const observe = (): void => {
          const seconds = streams.has(response) ? undefined : (performance.now() - start) / 1000;
          operations.metrics.observe(name, response.statusCode, seconds);
        };
        // An answer may be on its way when its route is done.
        if (response.writableFinished || response.destroyed) observe();
        else response.once("close", observe);
      });
    },
  );
  server.maxConnections = limits.connections;

  const stop = app.onChange(() => modern.announceChange());
  const stopUpdates = app.onRefresh((event) => {
    if (onlyFilesChanged(event)) modern.announceFiles();
    for (const uri of updatedResources(event)) modern.announceUpdate(uri);
  });
  auth?.onRevoked((subjects) => {
    streams.endOf(subjects);
    for (const { subject, value } of sessions.values()) {
      if (subject !== undefined && subjects.has(subject)) void value.close();
    }
  });

  const closeParts = async (): Promise<void> => {
    stop();
    stopUpdates();
    page?.close();
    operations.close();
    sse.close();
    streamable.close();
    await Promise.all([...[...sessions.values()].map(({ value }) => value.close()), modern.close()]);
    sessions.close();
  };

  /** Streams have no end of their own; requests have. */
  async function drain(): Promise<void> {
    draining = true;
    server.close();
    page?.close();
    for (const { value } of sessions.values()) {
      if (value.kind === "streamable") value.transport.endListening();
    }
    await modern.endSubscriptions();
    const isBusy = (): boolean =>
      [...underWay].some((response) => !streams.has(response)) ||
      [...sessions.values()].some(({ value }) => value.transport.isBusy());
    const deadline = performance.now() + limits.drainMs;
    while (isBusy() && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    await closeParts();
    // What was not done in time is told so; that must be out before its connection is cut.
    if (isBusy()) await pause(LOOK_EVERY_MS);
    server.closeAllConnections();
  }

  try {
    await listen(server, port, host);
  } catch (error) {
    await closeParts();
    throw cannotListen(error, host, port);
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${bracketed(host)}:${(server.address() as AddressInfo).port}`,
    close() {
      closing ??= drain();
      return closing;
    },
  };
}

/** Longer than the minute for which most proxies keep a connection, so that they end it and not we. */
const KEEP_CONNECTION_MS = 65_000;
const LOOK_EVERY_MS = 20;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program uses this port. Choose another one with --port.",
    EACCES: "the system does not allow this port. Choose one above 1023 with --port.",
    EADDRNOTAVAIL: "this machine has no such address. Choose another one with --host.",
    ENOTFOUND: "there is no such host. Choose another one with --host.",
  };
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error;
  return new Refusal(`Cannot listen on ${bracketed(host)}:${port}: ${reason}`, {
    code: "cannot-listen",
    port,
  });
}
