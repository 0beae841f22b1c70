import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Log, sha256, singleFlight } from "#util";
import { type Exchange, notAllowed, sendJson, sendNotFound } from "../server/exchange.ts";
import { tooLarge } from "../server/read-body.ts";

/** What a push to a repository may start. */
export interface RefreshHook {
  /** Shared with the git server. */
  readonly secret: string;
  /** The names of the repositories that are fetched. */
  readonly repositories: () => readonly string[];
  readonly refresh: () => Promise<unknown>;
}

export const REFRESH_HOOK_PATH = "/hooks/refresh";

/** As much as GitHub sends at most. Nothing of it is kept. */
const LARGEST_BODY = 25 * 1024 * 1024;
/** Between two log lines about wrong signatures: anyone can send them. */
const WARN_EVERY_MS = 60_000;

/**
 * `POST /hooks/refresh`: a git server says that something was pushed, and proves it with the shared secret. What it says is
 * not read: the repositories are fetched, one fetch at a time and one more if pushes arrive meanwhile.
 */
export function createRefreshHook(
  hook: RefreshHook | undefined,
  log: Log,
  now: () => number = Date.now,
): (exchange: Exchange) => Promise<void> {
  if (hook === undefined) return async ({ response }) => sendNotFound(response);
  const { secret, repositories } = hook;
  const refresh = singleFlight(hook.refresh);
  let warnedAt = Number.NEGATIVE_INFINITY;

  return async ({ request, response }) => {
    if (request.method !== "POST") throw notAllowed("POST");
    const digest = await digestOf(request, createHmac("sha256", secret));
    if (digest === "too-large") throw tooLarge(LARGEST_BODY);
    if (digest === "cut") return;
    if (!isFromOwner(request.headers, secret, digest)) {
      if (now() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = now();
        log.warn(`${REFRESH_HOOK_PATH}: rejected a request whose signature does not match the secret`);
      }
      const error = "The signature is missing or does not match SKILLS_WEBHOOK_SECRET.";
      sendJson(response, 401, { error });
      return;
    }
    refresh().catch((error: unknown) => {
      log.error(
        `${REFRESH_HOOK_PATH}: refresh failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    sendJson(response, 202, { refreshing: repositories() });
  };
}

/** The digest of a body of any size, without the body. `cut`: the sender disconnected in the middle of it. */
function digestOf(request: IncomingMessage, hmac: Hmac): Promise<Buffer | "too-large" | "cut"> {
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LARGEST_BODY) resolve("too-large");
      else hmac.update(chunk);
    });
    request.on("end", () => resolve(bytes > LARGEST_BODY ? "too-large" : hmac.digest()));
    request.on("close", () => resolve("cut"));
    request.on("error", () => {});
  });
}

/** GitHub, Gitea and Forgejo sign the body, Bitbucket too under a shorter name; GitLab sends the secret itself. */
function isFromOwner(headers: IncomingHttpHeaders, secret: string, digest: Buffer): boolean {
  const signature = headers["x-hub-signature-256"] ?? headers["x-hub-signature"];
  if (signature !== undefined) {
    const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(String(signature)) ?? [];
    return hex !== undefined && timingSafeEqual(Buffer.from(hex, "hex"), digest);
  }
  const token = headers["x-gitlab-token"];
  return typeof token === "string" && timingSafeEqual(sha256(token), sha256(secret));
}
