import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { retryAfterMs } from "./backoff.ts";
import type { Batch } from "./batch.ts";

export type Answer =
  | { readonly kind: "accepted" }
  /** The endpoint does not want these events, and will not want them later. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "too-large"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly reason: string; readonly retryAfterMs: number | undefined };

export interface PostOptions {
  readonly endpoint: URL;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** Statuses of the 4xx that say "later", not "no". */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Sends a batch. Redirects are not followed: the operator named this endpoint and no other. */
export function post(batch: Batch, options: PostOptions, signal: AbortSignal): Promise<Answer> {
  const { endpoint, timeoutMs, now } = options;
  const body = Buffer.from(`{"events":[${batch.lines.join(",")}]}`);
  return new Promise((resolve) => {
    const fail = (reason: string): void => {
      resolve({ kind: "unavailable", reason, retryAfterMs: undefined });
    };
    if (signal.aborted) return fail("there was no time left to ask it");
    const send = endpoint.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(endpoint, {
      method: "POST",
      // One connection per batch: an idle one would outlive the flush.
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        "idempotency-key": batch.key,
      },
    });
    const stop = (reason: string): void => {
      fail(reason);
      request.destroy();
    };
    const timer = setTimeout(() => stop(`it did not answer within ${timeoutMs / 1000} s`), timeoutMs);
    const onAbort = (): void => stop("there was no time left to wait for its answer");
    signal.addEventListener("abort", onAbort, { once: true });
    request.on("response", (response) => {
      resolve(answerOf(response, now()));
      // What it says beyond the status does not matter, but the connection ends in order if it is read.
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

function answerOf({ statusCode = 0, headers }: IncomingMessage, now: number): Answer {
  const reason = `it answered ${statusCode}`;
  if (statusCode >= 200 && statusCode < 300) return { kind: "accepted" };
  if (statusCode === 413) return { kind: "too-large", reason };
  if (statusCode >= 400 && statusCode < 500 && !LATER.has(statusCode)) return { kind: "refused", reason };
  return { kind: "unavailable", reason, retryAfterMs: retryAfterMs(headers["retry-after"], now) };
}
