import type { Fleet, FleetHealth } from "#fleet";
import type { RepoState } from "#sources";
import type { Log } from "#util";
import type { Services } from "../../services.ts";
import type { HttpAuth } from "../auth/open-auth.ts";
import type { Principal } from "../auth/principal.ts";
import type { RateLimiter, Rates } from "../auth/rates.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { RefreshHook } from "../ops/refresh-hook.ts";
import type { SeenClient } from "../transports/client-log.ts";
import type { ServerFactory } from "../transports/sessions.ts";
import type { AccessLog } from "./access-log.ts";
import type { Exchange } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { HttpProfiles } from "./profile-of.ts";
import type { BodyReader } from "./read-body.ts";

export interface HttpServerOptions {
  readonly services: Services;
  readonly factory: ServerFactory;
  readonly git: () => readonly RepoState[];
  /** The address to listen on. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** True: only HTTP+SSE is served. */
  readonly sseOnly: boolean;
  /** Our address as clients know it, behind a proxy. */
  readonly publicUrl: URL | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly auth: HttpAuth | undefined;
  /** Undefined: everyone sees the same. */
  readonly profiles?: HttpProfiles | undefined;
  /** Undefined: git servers cannot announce a push. */
  readonly refreshHook?: RefreshHook | undefined;
  /** Undefined: no web dashboard. */
  readonly page: ((context: PageContext) => DashboardPage) | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Those that the app and the factory report to; others of its own when absent. */
  readonly metrics?: Metrics;
  /** Undefined: no line for each request. */
  readonly accessLog?: AccessLog;
  /** What this server shares with other replicas; undefined: it is the only one. */
  readonly fleet?: Fleet | undefined;
  readonly fleetHealth?: (() => FleetHealth) | undefined;
  readonly log: Log;
}

/** What is served at `/` and below it, once a request is admitted. */
export interface DashboardPage {
  serve(exchange: Exchange): void | Promise<void>;
  /** Files without secrets, such as the page that asks for a token: they need no credentials. */
  isOpen(path: string): boolean;
  /** Ends its streams. */
  close(): void;
}

/** What a page can use of the server. */
export interface PageContext {
  /** The services as a caller sees them. */
  readonly viewFor: (caller: Principal) => Services;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
  readonly readBody: BodyReader;
  readonly rates: RateLimiter;
  readonly sessionsPerSubject: number;
  /** Everyone who talks to this server, or did. */
  readonly clients: () => readonly SeenClient[];
  readonly state: () => {
    readonly sessions: number;
    readonly streams: number;
    /** Sessions opened up to 2025-11-25 (`legacy`), and requests since 2026-07-28 (`modern`). */
    readonly eras: Readonly<Record<"legacy" | "modern", number>>;
    /** The replicas; absent where this server is the only one. */
    readonly fleet?: FleetHealth;
  };
}

/** Limits against clients that misbehave. Tests set smaller ones. */
export interface HttpLimits {
  readonly bodyBytes: number;
  /** Bodies that have not arrived in full: of all callers, and of one authenticated subject. */
  readonly bodies: number;
  readonly bodiesPerSubject: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often connections are checked for the two time-outs. */
  readonly timeoutCheckMs: number;
  readonly connections: number;
  readonly sessions: number;
  /** Sessions of one authenticated subject, and as many subscriptions and open pages. */
  readonly sessionsPerSubject: number;
  readonly subscriptions: number;
  readonly rates: Rates;
  /** A session without a stream is closed after this time without a request. */
  readonly idleMs: number;
  /** An SSE stream whose client never initialises is a probe, and dropped. */
  readonly uninitialisedMs: number;
  /** Between two comments that keep an idle stream open through proxies. */
  readonly keepAliveMs: number;
  /** How long a replica that shuts down still accepts requests, while `/readyz` tells balancers to send no more. */
  readonly lingerMs: number;
  /** How long requests in progress may take at shutdown. */
  readonly drainMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 1024 * 1024,
  bodies: 1_024,
  bodiesPerSubject: 50,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 2_000,
  connections: 10_000,
  sessions: 1_000,
  sessionsPerSubject: 20,
  subscriptions: 1_024,
  rates: {
    "skills:read": { burst: 100, perSecond: 50 },
    "skills:run": { burst: 5, perSecond: 1 },
    "skills:admin": { burst: 1, perSecond: 1 / 60 },
  },
  idleMs: 30 * 60_000,
  uninitialisedMs: 30_000,
  keepAliveMs: 15_000,
  lingerMs: 0,
  drainMs: 3_000,
};
