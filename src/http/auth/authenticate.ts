import type { IncomingMessage, ServerResponse } from "node:http";
import { RPC, sendRpcError } from "../server/reply.ts";
import type { Outcome, Scope, TokenVerifier } from "./principal.ts";

/** Reads the bearer token of a request. Only the header counts: an address ends up in logs. */
export async function authenticate(
  request: IncomingMessage,
  verifiers: readonly TokenVerifier[],
): Promise<Outcome> {
  const header = request.headers.authorization;
  if (header === undefined) return { kind: "anonymous" };
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header) ?? [];
  if (token === undefined)
    return { kind: "invalid", reason: "The Authorization header holds no bearer token." };
  for (const verifier of verifiers) {
    const outcome = await verifier.verify(token);
    if (outcome !== undefined) return outcome;
  }
  return { kind: "invalid", reason: "The token is not known." };
}

/** 401 or 503, with the way to get a token. */
export function sendUnauthorised(
  response: ServerResponse,
  outcome: Exclude<Outcome, { kind: "granted" }>,
  metadataUrl: string,
): void {
  if (outcome.kind === "unavailable") {
    sendRpcError(response, 503, RPC.refused, outcome.reason, { "retry-after": "5" });
    return;
  }
  const failure =
    outcome.kind === "anonymous" ? [] : [`error="invalid_token"`, `error_description="${outcome.reason}"`];
  const challenge = [`Bearer realm="skills-mcp"`, ...failure, `resource_metadata="${metadataUrl}"`].join(
    ", ",
  );
  const message =
    outcome.kind === "anonymous"
      ? "This server wants a bearer token in the Authorization header."
      : outcome.reason;
  sendRpcError(response, 401, RPC.refused, message, { "www-authenticate": challenge });
}

export function sendInsufficientScope(response: ServerResponse, scope: Scope, metadataUrl: string): void {
  const message = `This needs the scope ${scope}.`;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", error_description="${message}", resource_metadata="${metadataUrl}"`;
  sendRpcError(response, 403, RPC.refused, message, { "www-authenticate": challenge });
}
