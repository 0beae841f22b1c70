import { Refusal } from "#util/pure";
import { type EntryPlace, readEntry } from "../documents/document.ts";
import type { ConfigScope, ConnectTarget, ServerConnection } from "./connect-form.ts";
import { CONNECT_TARGETS } from "./connect-targets.ts";
import { readConnections } from "./connections.ts";
import { entryFor, isOurs, mergeEntry } from "./entry.ts";
import { ENTRY_NAME } from "./entry-forms.ts";
import { type Found, findTargets, planChange, planEntry, planRemoval, type StepFor } from "./plan-change.ts";
import type { Surroundings } from "./surroundings.ts";

const RECORDS = "connections.json";

export interface ConnectRequest {
  readonly scope: ConfigScope;
  /** How to reach the server; undefined removes the entry. */
  readonly connection: ServerConnection | undefined;
  /** Whether an entry of the same name that is not ours is replaced or removed. */
  readonly force: boolean;
}

type FoundAgent = Found<ConnectTarget, "connected" | "not connected" | "other entry">;

/** Every agent that `connect` can write to. */
export async function findAgents(
  scope: ConfigScope,
  surroundings: Surroundings,
): Promise<readonly FoundAgent[]> {
  const records = await readConnections(surroundings.ownFolder, RECORDS);
  return findTargets(CONNECT_TARGETS, [scope, surroundings], (agent, config) => {
    const entry = config && readEntry(config.text ?? "", agent.format, placeOf(agent));
    if (entry === undefined) return { state: "not connected" };
    const known = records.find(({ file }) => file === config?.target);
    return { state: isOurs(entry, known?.entry, surroundings.own) ? "connected" : "other entry" };
  });
}

/** Plans to add, change or remove our entry in the configuration of one agent. */
export function planStep(
  agent: ConnectTarget,
  { scope, connection, force }: ConnectRequest,
  surroundings: Surroundings,
): Promise<StepFor<ConnectTarget>> {
  const wanted = { agent, scope, format: agent.format, place: placeOf(agent), recordIn: RECORDS } as const;
  return planChange(wanted, surroundings, (situation) => {
    const { found, known } = situation;
    const isForeign = found !== undefined && !isOurs(found, known?.entry, surroundings.own);
    const entry = connection && entryFor(agent, connection, surroundings.platform);
    if (connection !== undefined && entry === undefined) {
      throw new Refusal(whyNoEntry(agent, scope), { code: "cannot-connect" });
    }
    if (isForeign && !force && !isOurs(found, entry)) {
      const way = entry === undefined ? "remove" : "replace";
      const reason = `It has an entry '${ENTRY_NAME}' that does not start skills-mcp. To ${way} it, add --force.`;
      return { action: "refuse", reason };
    }
    if (entry === undefined) return planRemoval(situation);
    const old = isForeign ? {} : found;
    return planEntry({ ...situation, found: old }, old === undefined ? entry : mergeEntry(old, entry));
  });
}

/** Why a file has no entry for a connection: no place for an address, or none for the name of a variable. */
function whyNoEntry({ remote }: ConnectTarget, scope: ConfigScope): string {
  if (remote === undefined)
    return "It has no place for an HTTP server in this file. Add the address in its settings.";
  const way = scope === "user" ? "Pass" : "Connect it for yourself, without --scope project, and pass";
  return `It is not known to read environment variables in this file. ${way} the token itself: --token <token>.`;
}

function placeOf({ keys, inList = false }: ConnectTarget): EntryPlace {
  return { keys, name: ENTRY_NAME, inList };
}
