import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { SnapshotSource } from "#skills";
import { onlyFilesChanged, updatedResources } from "../../mcp/resources/subscriptions.ts";
import type { HttpLimits } from "../server/options.ts";
import type { ServerFactory } from "./sessions.ts";

export interface SubscriberOptions extends Pick<HttpLimits, "subscriptions" | "keepAliveMs"> {
  readonly factory: ServerFactory;
  /** The skills of a profile; undefined: no profile. */
  readonly viewOf: (profile: string | undefined) => Pick<SnapshotSource, "onChange" | "onRefresh">;
}

/**
 * The open subscriptions of the modern era, by profile: a subscriber is told of what changed in its own profile, and of nothing
 * else. They are apart from requests, because a handler closes everything at once, and subscriptions end before requests do.
 */
export function createSubscribers({ factory, viewOf, subscriptions, keepAliveMs }: SubscriberOptions) {
  const groups = new Map<string, { readonly handler: McpHttpHandler; readonly stop: () => void }>();
  const open = (profile: string | undefined) => {
    const handler = createMcpHandler(
      (context) => factory({ ...context, ...(profile === undefined ? {} : { profile }) }),
      { legacy: "reject", keepAliveMs, maxSubscriptions: subscriptions },
    );
    return { handler, stop: announce(viewOf(profile), handler) };
  };
  const groupOf = (profile: string | undefined) => {
    const group = groups.get(profile ?? "") ?? open(profile);
    groups.set(profile ?? "", group);
    return group;
  };
  return {
    of: (profile: string | undefined): McpHttpHandler => groupOf(profile).handler,
    async close(): Promise<void> {
      for (const { stop } of groups.values()) stop();
      await Promise.all(Array.from(groups.values(), ({ handler }) => handler.close()));
    },
  };
}

/** Sessions are notified by their own server; subscriptions have none. */
function announce(
  skills: Pick<SnapshotSource, "onChange" | "onRefresh">,
  { notify }: McpHttpHandler,
): () => void {
  const stopChanges = skills.onChange(() => {
    notify.toolsChanged();
    notify.promptsChanged();
    notify.resourcesChanged();
  });
  const stopUpdates = skills.onRefresh((event) => {
    if (onlyFilesChanged(event)) notify.resourcesChanged();
    for (const uri of updatedResources(event)) notify.resourceUpdated(uri);
  });
  return () => {
    stopChanges();
    stopUpdates();
  };
}
