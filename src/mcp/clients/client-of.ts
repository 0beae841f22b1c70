import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { Client } from "./profiles.ts";

/** The client names itself in `initialize` or, in the modern era, with every request. */
export function clientOf(server: McpServer["server"], context: ServerContext): Client | undefined {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("name" in info) || typeof info.name !== "string")
    return server.getClientVersion();
  return "version" in info && typeof info.version === "string"
    ? { name: info.name, version: info.version }
    : { name: info.name };
}
