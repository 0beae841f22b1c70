import { Refusal } from "#util/pure";
import { CLIENTS } from "../clients.ts";
import { type Entry, type Place, readEntry } from "../documents/document.ts";
import {
  type Client,
  type Connection,
  ENTRY_NAME,
  entryFor,
  isOurs,
  mergeEntry,
  type Scope,
} from "./client.ts";
import { readConfigFile, reasonOf } from "./config-file.ts";
import { type Connected, readConnections } from "./connections.ts";
import { planEntry, planRemoval, type StepFor } from "./plan-change.ts";
import { configFile, isInstalled, type Surroundings } from "./surroundings.ts";

/** What is to be done for one client. */
export type Step = StepFor<Client>;

export interface ConnectRequest {
  readonly scope: Scope;
  /** Undefined disconnects. */
  readonly connection: Connection | undefined;
  /** Replaces or removes an entry of the same name that is not ours. */
  readonly force: boolean;
}

export interface FoundClient {
  readonly client: Client;
  readonly file: string | undefined;
  readonly isInstalled: boolean;
  readonly state: "connected" | "not connected" | "other entry" | "unreadable";
  /** Why it is unreadable. */
  readonly reason?: string;
}

/** Every client that is known, and whether it is installed and connected. */
export async function findClients(scope: Scope, surroundings: Surroundings): Promise<readonly FoundClient[]> {
  const records = await readConnections(surroundings.ownFolder);
  return Promise.all(
    CLIENTS.map(async (client): Promise<FoundClient> => {
      const [file, installed] = await Promise.all([
        configFile(client, scope, surroundings),
        isInstalled(client, surroundings),
      ]);
      const found = { client, file, isInstalled: installed };
      if (file === undefined) return { ...found, state: "not connected" };
      try {
        const { text = "", target } = await readConfigFile(file);
        const entry = readEntry(text, client.format, placeOf(client));
        if (entry === undefined) return { ...found, state: "not connected" };
        return { ...found, state: isOursOrRecorded(entry, target, records) ? "connected" : "other entry" };
      } catch (error) {
        return { ...found, state: "unreadable", reason: reasonOf(error) };
      }
    }),
  );
}

/** Plans one client. A file that cannot be changed is a step that says why: the others go on. */
export async function planStep(
  client: Client,
  request: ConnectRequest,
  surroundings: Surroundings,
): Promise<Step> {
  const { scope } = request;
  const file = await configFile(client, scope, surroundings);
  const step = { client, scope, file: file ?? "" };
  if (file === undefined)
    return { ...step, action: "refuse", reason: `It has no file for the ${scope} scope.` };
  try {
    const config = await readConfigFile(file);
    const records = await readConnections(surroundings.ownFolder);
    const known = records.find((record) => record.file === config.target);
    const place = placeOf(client);
    const found = readEntry(config.text ?? "", client.format, place);
    const isForeign = found !== undefined && !isOursOrRecorded(found, config.target, records);
    const entry = request.connection && requiredEntry(client, request.connection, surroundings);
    const situation = { client, config, place, known };
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

function placeOf({ keys, inList = false }: Client): Place {
  return { keys, name: ENTRY_NAME, inList };
}

function isOursOrRecorded(entry: Entry, target: string, records: readonly Connected[]): boolean {
  return isOurs(entry, records.find(({ file }) => file === target)?.entry);
}

function requiredEntry(client: Client, connection: Connection, { platform }: Surroundings): Entry {
  const entry = entryFor(client, connection, platform);
  if (entry !== undefined) return entry;
  throw new Refusal("It has no place for an HTTP server in this file. Add the address in its settings.", {
    code: "cannot-connect",
  });
}
