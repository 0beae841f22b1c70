import { type RawConnection, rawRequest } from "./raw-client.ts";

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});
const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

/** Opens a session of the legacy era and returns its id. */
export async function openSession(connection: RawConnection): Promise<string> {
  const { head, status } = await connection.ask(rawRequest("POST", "/mcp", {}, INITIALIZE));
  const id = /mcp-session-id: (\S+)/i.exec(head)?.[1];
  if (id === undefined) throw new Error(`No session was opened: ${status}`);
  await connection.ask(rawRequest("POST", "/mcp", { "mcp-session-id": id }, INITIALIZED));
  return id;
}

export function endSession(connection: RawConnection, id: string): Promise<unknown> {
  return connection.ask(rawRequest("DELETE", "/mcp", { "mcp-session-id": id }));
}
