import { isLegacyRequest } from "@modelcontextprotocol/server";
import { insufficientScope } from "../auth/authenticate.ts";
import { requiredScopes, widestScope } from "../auth/principal.ts";
import type { RateLimiter } from "../auth/rates.ts";
import { type Exchange, HttpRefusal, notAllowed, RPC, refuseTooOften } from "../server/exchange.ts";
import type { BodyReader } from "../server/read-body.ts";
import { webRequest } from "../server/web-bridge.ts";
import { eraOf } from "./messages.ts";
import type { ModernEndpoint } from "./modern-endpoint.ts";
import type { createSseEndpoint } from "./sse-endpoint.ts";
import type { createStreamableEndpoint } from "./streamable-endpoint.ts";

export interface McpTransports {
  readonly modern: ModernEndpoint;
  readonly streamable: ReturnType<typeof createStreamableEndpoint>;
  readonly sse: ReturnType<typeof createSseEndpoint>;
  /** True: only HTTP+SSE is served. */
  readonly sseOnly: boolean;
  readonly readBody: BodyReader;
  readonly rates: RateLimiter;
}

/** `/mcp`: selects the transport by method, headers and body. */
export async function routeMcp(transports: McpTransports, exchange: Exchange): Promise<void> {
  const { modern, streamable, sse, sseOnly } = transports;
  const { request } = exchange;
  const { method, headers } = request;
  if (method === "GET" && (sseOnly || isSseClient(headers))) return sse.open(exchange);
  if (sseOnly) throw notAllowed("GET");
  if (method === "GET" || method === "DELETE") return streamable(exchange, undefined);
  if (method !== "POST") throw notAllowed("GET, POST, DELETE");
  const body = await readAllowed(exchange, transports);
  if (body === undefined) return undefined;
  const version = headers["mcp-protocol-version"];
  const era = typeof version === "object" ? undefined : eraOf(body.value, version);
  const isLegacy =
    era === undefined ? await isLegacyRequest(webRequest(request), body.value) : era === "legacy";
  return isLegacy ? streamable(exchange, body.value) : modern.serve(exchange, body.value);
}

/** `/messages`: what clients of HTTP+SSE send. */
export async function routeMessages(transports: McpTransports, exchange: Exchange): Promise<void> {
  if (exchange.request.method !== "POST") throw notAllowed("POST");
  const body = await readAllowed(exchange, transports);
  if (body !== undefined) await transports.sse.receive(exchange, body.value);
}

/** `/sse` always opens a stream: some clients of HTTP+SSE send a protocol version, which on `/mcp` means another transport. */
export async function routeSse({ sse }: McpTransports, exchange: Exchange): Promise<void> {
  if (exchange.request.method !== "GET") throw notAllowed("GET");
  return sse.open(exchange);
}

/** A client of Streamable HTTP sends its session or its version. `Accept` does not tell: some clients accept any type. */
function isSseClient(headers: Exchange["request"]["headers"]): boolean {
  return headers["mcp-session-id"] === undefined && headers["mcp-protocol-version"] === undefined;
}

/** The body, if its sender has the scope and the rate for it; undefined when the client disconnected. */
async function readAllowed(
  exchange: Exchange,
  { readBody, rates }: McpTransports,
): Promise<{ readonly value: unknown } | undefined> {
  const { principal, base } = exchange;
  const body = await readBody(exchange);
  if (body.kind === "cut") return undefined;
  if (body.kind === "not-json")
    throw new HttpRefusal(400, "Parse error: the body is not valid JSON.", {}, RPC.parseError);
  const scopes = requiredScopes(body.value);
  const widest = widestScope(scopes);
  if (!principal.scopes.has(widest)) throw insufficientScope(widest, base);
  refuseTooOften(await rates.messages(principal.subject, scopes));
  return body;
}
