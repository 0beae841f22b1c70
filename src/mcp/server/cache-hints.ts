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
    "server/discover": list,
    // How long its descriptions are depends on the client that asks, unless the operator has decided.
    "tools/list": settings.descriptionBudget === undefined ? { ...list, cacheScope: "private" } : list,
    "prompts/list": list,
    "resources/list": list,
    "resources/templates/list": list,
    // Always read from the disk.
    "resources/read": { ...list, ttlMs: 0 },
  };
}
