import { isLegacyRequest } from "@modelcontextprotocol/server";
import { sendInsufficientScope } from "../auth/authenticate.ts";
import { neededScopes, widestScope } from "../auth/needed-scope.ts";
import type { RateLimiter } from "../auth/rates.ts";
import { metadataUrl } from "../auth/resource-metadata.ts";
import type { Exchange } from "../server/exchange.ts";
import { readBody } from "../server/read-body.ts";
import { RPC, sendNotAllowed, sendRpcError } from "../server/reply.ts";
import { toWebRequest, whatItSays } from "../server/web-bridge.ts";
import { eraOf } from "./era-of.ts";
import type { ModernEndpoint } from "./modern-endpoint.ts";
import type { createSseEndpoint } from "./sse-endpoint.ts";
import type { createStreamableEndpoint } from "./streamable-endpoint.ts";

export interface McpEndpoints {
  readonly modern: ModernEndpoint;
  readonly streamable: ReturnType<typeof createStreamableEndpoint>;
  readonly sse: ReturnType<typeof createSseEndpoint>;
  /** True: only HTTP+SSE is served. */
  readonly sseOnly: boolean;
  readonly bodyBytes: number;
  readonly rates: RateLimiter;
}

/** `/mcp`: sorts requests by what they say of themselves. */
export async function serveMcp(endpoints: McpEndpoints, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { method, headers } = request;
  if (method === "GET" && (endpoints.sseOnly || isSseClient(headers))) return endpoints.sse.open(exchange);
  if (endpoints.sseOnly) return sendNotAllowed(response, "GET");
  if (method !== "POST") {
    const allowed = "GET, POST, DELETE";
    if (method !== "GET" && method !== "DELETE") return sendNotAllowed(response, allowed);
    return endpoints.streamable.serve(exchange, undefined);
  }
  const body = await readAllowed(exchange, endpoints);
  if (body === undefined) return undefined;
  const version = headers["mcp-protocol-version"];
  const era = typeof version === "object" ? undefined : eraOf(body.value, version);
  return (era === undefined ? await isLegacyRequest(whatItSays(request), body.value) : era === "legacy")
    ? endpoints.streamable.serve(exchange, body.value)
    : endpoints.modern.serve(exchange, toWebRequest(request, response), body.value);
}

/** `/messages`: what clients of HTTP+SSE send. */
export async function serveMessages(endpoints: McpEndpoints, exchange: Exchange): Promise<void> {
  if (exchange.request.method !== "POST") return sendNotAllowed(exchange.response, "POST");
  const body = await readAllowed(exchange, endpoints);
  if (body !== undefined) endpoints.sse.receive(exchange, body.value);
  return undefined;
}

/** `/sse` always opens a stream: some clients of HTTP+SSE name a protocol version, which on `/mcp` means another transport. */
export async function serveSse({ sse }: McpEndpoints, exchange: Exchange): Promise<void> {
  return exchange.request.method === "GET" ? sse.open(exchange) : sendNotAllowed(exchange.response, "GET");
}

/** A client of Streamable HTTP names its session or its version. `Accept` tells nothing: some send any type. */
function isSseClient(headers: Exchange["request"]["headers"]): boolean {
  return headers["mcp-session-id"] === undefined && headers["mcp-protocol-version"] === undefined;
}

/** The body, when it is JSON and its sender may ask for what it says; otherwise the answer is sent. */
async function readAllowed(
  { request, response, principal, base }: Exchange,
  { bodyBytes, rates }: McpEndpoints,
): Promise<{ readonly value: unknown } | undefined> {
  const body = await readBody(request, bodyBytes);
  if (body.kind === "cut") return undefined;
  if (body.kind === "too-large") {
    const message = `The body may have ${bodyBytes} bytes at most.`;
    sendRpcError(response, 413, RPC.refused, message, { connection: "close" });
    return undefined;
  }
  if (body.kind === "not-json") {
    sendRpcError(response, 400, RPC.parseError, "Parse error: the body is not valid JSON.");
    return undefined;
  }
  const scopes = neededScopes(body.value);
  const widest = widestScope(scopes);
  if (!principal.scopes.has(widest)) {
    sendInsufficientScope(response, widest, metadataUrl(base));
    return undefined;
  }
  const seconds = rates.take(principal.subject, scopes);
  if (seconds === 0) return { value: body.value };
  const message = `You ask for this more often than you may. Try again in ${seconds} s.`;
  sendRpcError(response, 429, RPC.refused, message, { "retry-after": String(seconds) });
  return undefined;
}
