import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Log } from "#util";
import { backoffMs } from "#util";

export type SendResult =
  | { readonly kind: "accepted" }
  /** The endpoint rejects these events, now and later. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "too-large"; readonly reason: string }
  | ({ readonly kind: "unavailable" } & DeliveryFailure);

export interface DeliveryFailure {
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
}

/** 4xx statuses that mean "later", not "no". */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;
const LONGEST_BACKOFF_MS = 15 * 60_000;

interface PostOptions {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** The idempotency key of a batch: equal for equal events in the same order, whichever process sends them. */
export function batchKey(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);
}

/** Sends a batch. Redirects are not followed: events go only to the configured endpoint. */
export function post(
  lines: readonly string[],
  { endpoint, headers, timeoutMs, now }: PostOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  const body = Buffer.from(`{"events":[${lines.join(",")}]}`);
  return new Promise((resolve) => {
    const fail = (reason: string): void => {
      resolve({ kind: "unavailable", reason, retryAfterMs: undefined });
    };
    if (signal.aborted) return fail("the server is shutting down");
    // Loaded here: without an endpoint, the first call of a session would wait for them.
    const { request: send } = process.getBuiltinModule(
      endpoint.protocol === "https:" ? "node:https" : "node:http",
    );
    const request = send(endpoint, {
      method: "POST",
      // One connection per batch: an idle one would outlive the flush.
      agent: false,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": body.length,
        "idempotency-key": batchKey(lines),
      },
    });
    const stop = (reason: string): void => {
      fail(reason);
      request.destroy();
    };
    const timer = setTimeout(() => stop(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
    const onAbort = (): void => stop("the server is shutting down");
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("response", (response) => {
      resolve(answerOf(response, now()));
      // Only the status matters, but reading the body lets the connection close cleanly.
      response.on("error", () => {});
      response.resume();
    });
    request.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    request.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
    request.end(body);
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, now: number): SendResult {
  const reason = `status ${statusCode}`;
  if (statusCode >= 200 && statusCode < 300) return { kind: "accepted" };
  if (statusCode === 413) return { kind: "too-large", reason };
  if (statusCode >= 400 && statusCode < 500 && !LATER.has(statusCode)) return { kind: "refused", reason };
  return { kind: "unavailable", reason, retryAfterMs: retryAfterMs(headers["retry-after"], now) };
}

/** Reads a `Retry-After` header, seconds or a date. At most an hour, whatever the endpoint says. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, wait));
}

export type EndpointHealth = ReturnType<typeof createEndpointHealth>;

export interface EndpointFailure {
  readonly reason: string;
  readonly since: string;
}

export interface EndpointHealthOptions {
  /** What logs call the endpoint: its address may contain a secret. */
  readonly name: string;
  readonly intervalMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** Default: a quarter of an hour. */
  readonly longestBackoffMs?: number;
}

/** Tracks whether a receiver accepts events, and when to try again. */
export function createEndpointHealth(options: EndpointHealthOptions) {
  const { name, intervalMs, now, random, log, longestBackoffMs = LONGEST_BACKOFF_MS } = options;
  let failures = 0;
  let backOffUntil = 0;
  let retryAfter = 0;
  let lastDelivery: string | undefined;
  let failure: EndpointFailure | undefined;
  const time = (): string => new Date(now()).toISOString();

  return {
    /** An explicit flush skips the backoff, but not a `Retry-After`. */
    mayAsk: (skipBackoff: boolean): boolean => now() >= retryAfter && (skipBackoff || now() >= backOffUntil),
    succeeded(): void {
      if (failure !== undefined)
        log.info(`usage: ${name} accepts events again; it had failed since ${failure.since}.`);
      failures = 0;
      backOffUntil = 0;
      retryAfter = 0;
      failure = undefined;
      lastDelivery = time();
    },
    failed({ reason, retryAfterMs: asked }: DeliveryFailure): void {
      // Only the first failure in a row is logged.
      if (failure === undefined)
        log.warn(
          `usage: ${name} does not accept events (${reason}). They are buffered and sent again later.`,
        );
      failure = { reason, since: failure?.since ?? time() };
      failures++;
      const backoff = { firstMs: intervalMs, longestMs: longestBackoffMs, random: random() };
      backOffUntil = now() + backoffMs(failures, backoff);
      if (asked !== undefined) retryAfter = now() + asked;
    },
    lastDelivery: () => lastDelivery,
    failure: () => failure,
  };
}
