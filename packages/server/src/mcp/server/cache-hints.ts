import type { CacheHint, ServerOptions } from "@modelcontextprotocol/server";
import type { ServerSettings } from "./settings.ts";

type CacheHints = NonNullable<ServerOptions["cacheHints"]>;

/** Lists change with the next scan: until then a client may cache them. */
export function listHint({ listsLastMs = 0, cacheScope = "public" }: ServerSettings): CacheHint {
  return { ttlMs: listsLastMs, cacheScope };
}

/** How long, and for whom, the answers of the modern era may be cached. */
export function cacheHints(settings: ServerSettings): CacheHints {
  const list = listHint(settings);
  return {
    // What these list depends on the client that asks.
    "server/discover": { ...list, cacheScope: "private" },
    "tools/list": { ...list, cacheScope: "private" },
    "prompts/list": { ...list, cacheScope: "private" },
    "resources/list": list,
    "resources/templates/list": list,
    // Always read from the disk.
    "resources/read": { ...list, ttlMs: 0 },
  };
}
