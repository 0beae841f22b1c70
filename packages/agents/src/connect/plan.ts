import { Refusal } from "#util/pure";
import { type ConfigEntry, type EntryPlace, readEntry } from "../documents/document.ts";
import { readConfigFile, reasonOf } from "./config-file.ts";
import type { ConfigScope, ConnectTarget, ServerConnection } from "./connect-form.ts";
import { CONNECT_TARGETS } from "./connect-targets.ts";
import { type Connected, readConnections } from "./connections.ts";
import { entryFor, isOurs, mergeEntry } from "./entry.ts";
import { ENTRY_NAME } from "./entry-forms.ts";
import { planEntry, planRemoval, type StepFor } from "./plan-change.ts";
import { configFile, isInstalled, type Surroundings } from "./surroundings.ts";

const RECORDS = "connections.json";

export interface ConnectRequest {
  readonly scope: ConfigScope;
  /** How to reach the server; undefined removes the entry. */
  readonly connection: ServerConnection | undefined;
  /** Whether an entry of the same name that is not ours is replaced or removed. */
  readonly force: boolean;
}

/** Whether an agent is installed and connected. */
export interface FoundAgent {
  readonly agent: ConnectTarget;
  readonly file: string | undefined;
  readonly isInstalled: boolean;
  readonly state: "connected" | "not connected" | "other entry" | "unreadable";
  /** Why it is unreadable. */
  readonly reason?: string;
}

/** Every agent that `connect` can write to. */
export async function findAgents(
  scope: ConfigScope,
  surroundings: Surroundings,
): Promise<readonly FoundAgent[]> {
  const records = await readConnections(surroundings.ownFolder, RECORDS);
  return Promise.all(
    CONNECT_TARGETS.map(async (agent): Promise<FoundAgent> => {
      const [file, installed] = await Promise.all([
        configFile(agent, scope, surroundings),
        isInstalled(agent, surroundings),
      ]);
      const found = { agent, file, isInstalled: installed };
      if (file === undefined) return { ...found, state: "not connected" };
      try {
        const { text = "", target } = await readConfigFile(file);
        const entry = readEntry(text, agent.format, placeOf(agent));
        if (entry === undefined) return { ...found, state: "not connected" };
        return { ...found, state: isOursOrRecorded(entry, target, records) ? "connected" : "other entry" };
      } catch (error) {
        return { ...found, state: "unreadable", reason: reasonOf(error) };
      }
    }),
  );
}

/** Plans one agent. A file that cannot be changed is a step that says why: the others go on. */
export async function planStep(
  agent: ConnectTarget,
  request: ConnectRequest,
  surroundings: Surroundings,
): Promise<StepFor<ConnectTarget>> {
  const { scope } = request;
  const file = await configFile(agent, scope, surroundings);
  const step = { agent, scope, file: file ?? "" };
  if (file === undefined)
    return { ...step, action: "refuse", reason: `It has no file for the ${scope} scope.` };
  try {
    const config = await readConfigFile(file);
    const records = await readConnections(surroundings.ownFolder, RECORDS);
    const known = records.find((record) => record.file === config.target);
    const place = placeOf(agent);
    const found = readEntry(config.text ?? "", agent.format, place);
    const isForeign = found !== undefined && !isOursOrRecorded(found, config.target, records);
    const entry = request.connection && requiredEntry(agent, request.connection, surroundings);
    const situation = { agent, config, place, known, recordIn: RECORDS } as const;
    if (isForeign && !request.force && !isOurs(found, entry)) {
      const way = entry === undefined ? "remove" : "replace";
      const reason = `It has an entry '${ENTRY_NAME}' that does not start skills-mcp. To ${way} it, add --force.`;
      return { ...step, action: "refuse", reason };
    }
    if (entry === undefined) return { ...step, ...planRemoval({ ...situation, found }) };
    const wanted = found === undefined ? entry : mergeEntry(isForeign ? {} : found, entry);
    return {
      ...step,
      ...(await planEntry({ ...situation, found: isForeign ? {} : found, entry: wanted }, scope)),
    };
  } catch (error) {
    return { ...step, action: "refuse", reason: reasonOf(error) };
  }
}

function placeOf({ keys, inList = false }: ConnectTarget): EntryPlace {
  return { keys, name: ENTRY_NAME, inList };
}

function isOursOrRecorded(entry: ConfigEntry, target: string, records: readonly Connected[]): boolean {
  return isOurs(entry, records.find(({ file }) => file === target)?.entry);
}

function requiredEntry(
  agent: ConnectTarget,
  connection: ServerConnection,
  { platform }: Surroundings,
): ConfigEntry {
  const entry = entryFor(agent, connection, platform);
  if (entry !== undefined) return entry;
  throw new Refusal("It has no place for an HTTP server in this file. Add the address in its settings.", {
    code: "cannot-connect",
  });
}
