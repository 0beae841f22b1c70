import type { IncomingMessage, ServerResponse } from "node:http";
import { RPC_ERRORS } from "../../mcp/server/read-message.ts";
import type { Principal } from "../auth/principal.ts";

/** One request and its response, after the guards admitted it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly principal: Principal;
  /** Whether the caller is on another machine, as far as can be told. */
  readonly isRemote: boolean;
  /** Our own address as the client knows it, without a trailing slash. */
  readonly base: string;
}

type Headers = Readonly<Record<string, string>>;

/** JSON-RPC error codes of requests that are rejected before they reach an MCP server. */
export const RPC = {
  refused: -32_000,
  sessionNotFound: -32_001,
  internalError: -32_603,
  ...RPC_ERRORS,
} as const;

/** The Retry-After of a server that is full. */
const RETRY_AFTER_SECONDS = 10;

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  sendText(response, status, "application/json", JSON.stringify(value), headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Headers = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(text, "utf8");
  response.writeHead(status, {
    "content-type": type,
    "content-length": String(body.length),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Ends a request with an error in the shape that MCP clients read. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Headers;
  /** Of the request that it answers, where that is known. */
  readonly id: string | number | null;

  constructor(
    status: number,
    message: string,
    headers: Headers = {},
    code: number = RPC.refused,
    id: string | number | null = null,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.id = id;
  }
}

export function sendRefusal(
  response: ServerResponse,
  { status, code, message, headers, id }: HttpRefusal,
): void {
  sendJson(response, status, { jsonrpc: "2.0", error: { code, message }, id }, headers);
}

export function notAllowed(allow: string): HttpRefusal {
  return new HttpRefusal(405, `Method not allowed. Allowed: ${allow}.`, { allow });
}

/** `seconds` as a rate limiter counts them: 0 is no refusal. */
export function refuseTooOften(seconds: number): void {
  if (seconds === 0) return;
  throw new HttpRefusal(429, `Rate limit exceeded, retry after ${seconds} s`, {
    "retry-after": String(seconds),
  });
}

export function full(message: string): HttpRefusal {
  return new HttpRefusal(503, message, { "retry-after": String(RETRY_AFTER_SECONDS) });
}

export function sendNotFound(response: ServerResponse): void {
  sendJson(response, 404, { error: "Not found. MCP is served at /mcp." });
}
