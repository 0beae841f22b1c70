import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "../server/exchange.ts";
import { type Principal, SCOPES, type Scope } from "./principal.ts";

export type AuthOutcome =
  | { readonly kind: "granted"; readonly principal: Principal }
  /** The request has no credentials. */
  | { readonly kind: "anonymous" }
  | { readonly kind: "invalid"; readonly reason: string }
  /** The credentials cannot be checked now. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Decides what a bearer token grants. */
export interface TokenVerifier {
  /** Undefined: this verifier does not know the token, another one may. */
  verify(token: string): Promise<AuthOutcome | undefined>;
  close(): void;
}

/**
 * Checks the bearer token of a request. Only the header counts, because addresses end up in logs. The SDK's
 * `requireBearerAuth` does not fit: it rejects tokens that never expire, as those of a token file, and has no 503 for an
 * authorization server that does not answer.
 */
export async function authenticate(
  request: IncomingMessage,
  verifiers: readonly TokenVerifier[],
): Promise<AuthOutcome> {
  const header = request.headers.authorization;
  if (header === undefined) return { kind: "anonymous" };
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header) ?? [];
  if (token === undefined)
    return { kind: "invalid", reason: "The Authorization header has no bearer token." };
  for (const verifier of verifiers) {
    const outcome = await verifier.verify(token);
    if (outcome !== undefined) return outcome;
  }
  return { kind: "invalid", reason: "The token is unknown." };
}

/** 401 or 503, with the way to get a token. */
export function unauthorised(outcome: Exclude<AuthOutcome, { kind: "granted" }>, base: string): HttpRefusal {
  if (outcome.kind === "unavailable") return new HttpRefusal(503, outcome.reason, { "retry-after": "5" });
  const isAnonymous = outcome.kind === "anonymous";
  const failure = isAnonymous ? [] : [`error="invalid_token"`, `error_description="${outcome.reason}"`];
  const challenge = [`Bearer realm="skills-mcp"`, ...failure, `resource_metadata="${metadataUrl(base)}"`];
  const message = isAnonymous
    ? "Authentication required: send a bearer token in the Authorization header."
    : outcome.reason;
  return new HttpRefusal(401, message, { "www-authenticate": challenge.join(", ") });
}

export function insufficientScope(scope: Scope, base: string): HttpRefusal {
  const message = missingScope(scope);
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", error_description="${message}", resource_metadata="${metadataUrl(base)}"`;
  return new HttpRefusal(403, message, { "www-authenticate": challenge });
}

export function missingScope(scope: Scope): string {
  return `The scope ${scope} is required.`;
}

export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/**
 * RFC 9728: how a client gets a token for this server. The SDK's `oauthMetadataResponse` does not fit: it needs the
 * whole metadata of an authorization server, and a token file has none.
 */
export function resourceMetadata(base: string, issuer: string | undefined): object {
  return {
    resource: `${base}/mcp`,
    ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "skills-mcp",
  };
}

function metadataUrl(base: string): string {
  return `${base}${METADATA_PATH}/mcp`;
}
