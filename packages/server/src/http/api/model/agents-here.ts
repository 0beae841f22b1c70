import { clientMeant, findAgents, surroundingsOf } from "#agents";
import { homeFolder } from "#util";
import type { WireConfigured } from "../../../wire/overview.ts";
import type { SeenClient } from "../../transports/client-log.ts";
import type { AskedClient } from "./client-views.ts";
import type { ListSettings } from "./model-handlers.ts";

/** The agents that are installed on this machine, and whether their configuration names us. */
export async function agentsHere(home: string): Promise<readonly WireConfigured[]> {
  const found = await findAgents("user", surroundingsOf(home === homeFolder() ? undefined : home));
  return found
    .filter(({ isInstalled, state }) => isInstalled || state === "connected")
    .map(({ agent: { id, title }, state }) => ({ id, title, isConnected: state === "connected" }));
}

/** Settings can change while somebody is connected: a profile may be gone. */
export function inKnownProfiles(
  seen: readonly SeenClient[],
  lists: Pick<ListSettings, "profiles">,
): readonly SeenClient[] {
  const profiles = new Set(lists.profiles().map(({ name }) => name));
  return seen.filter(({ profile }) => profile === undefined || profiles.has(profile));
}

/** A client of this server as the address of `model` says it. */
export function askedOf({ client: { name, version }, profile }: SeenClient): AskedClient {
  return {
    client: clientMeant(name).name,
    ...(version === undefined ? {} : { version }),
    connection: "http",
    ...(profile === undefined ? {} : { profile }),
  };
}
