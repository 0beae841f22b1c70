import type { ClientInfo } from "#agents";
import type { Snapshot } from "#skills";
import { memoizeWeak } from "#util/pure";
import { type SkillsForClient, viewClient } from "../../../mcp/client-view/client-view.ts";
import type { UsageRecords } from "../../../services.ts";
import type { WireTurnOne } from "../../../wire/overview.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import type { ApiRequest } from "../api-request.ts";
import { clientIn, type ListSettings, settingsIn } from "./model-handlers.ts";
import { withUsualClient } from "./usual-client.ts";

/** A client as the address of `model` says it. */
export type AskedClient = Pick<WireTurnOne, "client" | "version" | "connection" | "profile">;

/** What a client is told, in the version and connection that it has here. */
interface ToldClient {
  readonly client: ClientInfo;
  readonly connection: "stdio" | "http";
  readonly told: SkillsForClient;
}

export type ClientViews = ReturnType<typeof createClientViews>;

/** Pages ask every few seconds, and the lists of many skills are long: each is written once for each snapshot. */
export function createClientViews(likelyUse: UsageRecords["likelyUse"], lists: ListSettings) {
  const knownOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, SkillsForClient>());
  return (
    snapshot: Snapshot,
    asked: AskedClient,
    request: ApiRequest,
    seen: readonly SeenClient[],
  ): ToldClient => {
    const full = withUsualClient({ ...request, query: new URLSearchParams({ ...asked }) }, seen);
    const client = clientIn(full.query);
    const settings = settingsIn(full, lists, snapshot);
    const key = JSON.stringify([client, settings, settings.disabledByClient?.(client)?.key]);
    const known = knownOf(snapshot);
    const told = known.get(key) ?? viewClient(snapshot, client, settings, likelyUse);
    known.set(key, told);
    return { client, connection: settings.isRemote === true ? "http" : "stdio", told };
  };
}
