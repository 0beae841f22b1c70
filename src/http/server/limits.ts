import type { Rates } from "../auth/rates.ts";

/** What bounds a server that anyone on the network may talk to. Tests set smaller ones. */
export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often connections are looked at for the two time-outs. */
  readonly timeoutCheckMs: number;
  readonly connections: number;
  readonly sessions: number;
  /** Sessions of one authenticated subject, and as many subscriptions. */
  readonly sessionsPerSubject: number;
  readonly subscriptions: number;
  /** How often one authenticated subject may ask. */
  readonly rates: Rates;
  /** A session without a stream that nobody used for so long is closed. */
  readonly idleMs: number;
  /** An SSE stream whose client never initialises is a probe, and dropped. */
  readonly uninitialisedMs: number;
  /** Between two comments that keep a quiet stream open through proxies. */
  readonly keepAliveMs: number;
  /** How long requests under way may take when the server is told to end. */
  readonly drainMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 1024 * 1024,
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
  drainMs: 3_000,
};
