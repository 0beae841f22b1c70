import type { ServerResponse } from "node:http";

/** JSON-RPC codes for what is refused before any server sees it. */
export const RPC = { refused: -32_000, sessionNotFound: -32_001, parseError: -32_700 } as const;

/** How soon a client may try again when the server is full. */
const RETRY_AFTER_SECONDS = 10;

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, "application/json", JSON.stringify(value), headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
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

/** A refusal in the shape that MCP clients read. */
export function sendRpcError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  id: string | number | null = null,
): void {
  sendJson(response, status, { jsonrpc: "2.0", error: { code, message }, id }, headers);
}

export function sendNotAllowed(response: ServerResponse, allow: string): void {
  sendRpcError(response, 405, RPC.refused, `Method not allowed. This address takes ${allow}.`, { allow });
}

export function sendFull(response: ServerResponse, message: string): void {
  sendRpcError(response, 503, RPC.refused, message, { "retry-after": String(RETRY_AFTER_SECONDS) });
}
