import type { IncomingMessage, ServerResponse } from "node:http";
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
  invalidRequest: -32_600,
  internalError: -32_603,
  parseError: -32_700,
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

  constructor(status: number, message: string, headers: Headers = {}, code: number = RPC.refused) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function sendRefusal(
  response: ServerResponse,
  { status, code, message, headers }: HttpRefusal,
  id: string | number | null = null,
): void {
  sendJson(response, status, { jsonrpc: "2.0", error: { code, message }, id }, headers);
}

export function notAllowed(allow: string): HttpRefusal {
  return new HttpRefusal(405, `Method not allowed. Allowed: ${allow}.`, { allow });
}

export function full(message: string): HttpRefusal {
  return new HttpRefusal(503, message, { "retry-after": String(RETRY_AFTER_SECONDS) });
}

export function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `Body too large; the limit is ${limit} bytes.`, { connection: "close" });
}

export function sendNotFound(response: ServerResponse): void {
  sendJson(response, 404, { error: "Not found. MCP is served at /mcp." });
}

type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-json" }
  /** The client disconnected in the middle of it. */
  | { readonly kind: "cut" };

/** Reads a JSON body of at most `maxBytes`. */
export function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      // The rest is neither buffered nor awaited.
      else resolve({ kind: "too-large" });
    });
    request.on("end", () => resolve(parseJson(Buffer.concat(chunks))));
    // After `end` this has no effect: the promise is already resolved.
    request.on("close", () => resolve({ kind: "cut" }));
    request.on("error", () => {});
  });
}

function parseJson(bytes: Buffer): Body {
  try {
    return { kind: "json", value: JSON.parse(bytes.toString("utf8")) as unknown };
  } catch {
    return { kind: "not-json" };
  }
}
