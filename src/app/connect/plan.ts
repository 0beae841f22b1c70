import {
  type Client,
  type Connection,
  ENTRY_NAME,
  entryFor,
  isOurs,
  mergeEntry,
  type Scope,
} from "../../connect/client.ts";
import { CLIENTS } from "../../connect/clients.ts";
import {
  type Entry,
  insertEntry,
  type Place,
  readEntry,
  removeEntry,
  type Undo,
  updateEntry,
} from "../../connect/documents/document.ts";
import { isSame } from "../../connect/documents/is-same.ts";
import { Refusal } from "../../skill/refusal.ts";
import { type ConfigFile, missingFolders, readConfigFile, reasonOf } from "./config-file.ts";
import { type Connected, readConnections } from "./connections.ts";
import { configFile, isInstalled, type Surroundings } from "./surroundings.ts";

/** A change of one client's configuration: the text before and after; undefined for no file. */
interface Change {
  readonly action: "add" | "update" | "remove";
  readonly config: ConfigFile;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What `disconnect` needs to know later. */
  readonly record: Connected | undefined;
  /** Folders to remove with the file. */
  readonly madeFolders: readonly string[];
}

/** What is to be done for one client. */
export type Step = {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
} & (
  | Change
  | { readonly action: "none"; readonly isConnected: boolean }
  | { readonly action: "refuse"; readonly reason: string }
);

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
    if (isForeign && !request.force && !isOurs(found, entry)) {
      const way = entry === undefined ? "remove" : "replace";
      const reason = `It has an entry '${ENTRY_NAME}' that does not start skills-mcp. To ${way} it, add --force.`;
      return { ...step, action: "refuse", reason };
    }
    if (entry === undefined) return { ...step, ...planRemoval({ client, config, place, found, known }) };
    return {
      ...step,
      ...(await planEntry({ client, config, place, found: isForeign ? {} : found, known, entry }, scope)),
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

interface Situation {
  readonly client: Client;
  readonly config: ConfigFile;
  readonly place: Place;
  readonly found: Entry | undefined;
  readonly known: Connected | undefined;
}

const NOTHING_ADDED: Undo = { made: 0, lead: "", tail: "", root: false };

type Planned = Change | { readonly action: "none"; readonly isConnected: boolean };

async function planEntry(
  { client, config, place, found, known, entry }: Situation & { readonly entry: Entry },
  scope: Scope,
): Promise<Planned> {
  const { text, target } = config;
  const common = { config, before: text, madeFolders: [] };
  if (found !== undefined) {
    const merged = mergeEntry(found, entry);
    if (isSame(found, merged)) return { action: "none", isConnected: true };
    const record = {
      ...(known ?? { undo: NOTHING_ADDED, madeFolders: [] }),
      file: target,
      client: client.id,
      entry: merged,
    };
    return {
      ...common,
      action: "update",
      after: updateEntry(text ?? "", client.format, place, merged),
      record,
    };
  }
  const isEmpty = text === undefined;
  const base = text ?? client.newFile ?? "";
  const { text: after, undo } = insertEntry(base, client.format, place, entry);
  const madeFolders = isEmpty ? await missingFolders(target) : [];
  const record = {
    file: target,
    client: client.id,
    entry,
    undo,
    madeFolders,
    ...(isEmpty && { madeFile: base }),
  };
  const mode = isEmpty && scope === "project" ? 0o644 : config.mode;
  return { ...common, config: { ...config, mode }, action: "add", after, record };
}

function planRemoval({ client, config, place, found, known }: Situation): Planned {
  const { text } = config;
  if (found === undefined || text === undefined) return { action: "none", isConnected: false };
  const after = removeEntry(text, client.format, place, known?.undo);
  const isMade = known?.madeFile !== undefined && after === known.madeFile;
  return {
    action: "remove",
    config,
    before: text,
    after: isMade ? undefined : after,
    record: undefined,
    madeFolders: isMade ? known.madeFolders : [],
  };
}
