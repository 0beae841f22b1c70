import { rawRequest } from "./raw-client.ts";
import type { HttpSubject } from "./subjects.ts";

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};

/** A request for the list of tools; of the legacy era when it names a session. */
export function listRequest(session?: string): string {
  return request("tools/list", {}, session);
}

/** A call of the subject's tool; of the legacy era when it names a session. */
export function callRequest({ tool }: HttpSubject, session?: string): string {
  return request("tools/call", tool, session);
}

function request(method: string, params: { readonly name?: string }, session: string | undefined): string {
  const isModern = session === undefined;
  const named = params.name === undefined ? {} : { "mcp-name": params.name };
  const headers = isModern
    ? { "mcp-protocol-version": MODERN, "mcp-method": method, ...named }
    : { "mcp-protocol-version": "2025-11-25", "mcp-session-id": session };
  const meta = isModern ? { _meta: ENVELOPE } : {};
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, ...meta } });
  return rawRequest("POST", "/mcp", headers, body);
}
