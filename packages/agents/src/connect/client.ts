import type { Entry, FormatName } from "../documents/document.ts";

export type Scope = "user" | "project";

/** The name of our entry in every configuration. */
export const ENTRY_NAME = "skills";

/** What a client starts. */
export const SERVER_COMMAND: readonly string[] = ["npx", "-y", "skills-mcp"];

/**
 * A file or folder of the user: below the home folder (`~/`), the folder for configuration (`<config>/`, that is `~/.config`),
 * or the folder for the data of programs (`<app>/`), which is another one on each platform.
 */
export type UserPath = `~/${string}` | `<config>/${string}` | `<app>/${string}`;

/** The same everywhere, or by platform; `unix` is every other one. */
export type ByPlatform<T> = T | Readonly<{ win32?: T; darwin?: T; unix: T }>;

/** Where the server is: started by the client, or reached over HTTP. */
export type Connection =
  | { readonly kind: "local"; readonly args?: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly token?: string };

/** An MCP client: where its configuration is, and what an entry looks like there. */
export interface Client {
  readonly id: string;
  readonly title: string;
  /** Where the format is described. */
  readonly documentation: string;
  readonly format: FormatName;
  /** The keys to the map of servers. */
  readonly keys: readonly string[];
  /** The servers are a list of maps with a `name`. */
  readonly inList?: boolean;
  /** The user's file: the first one that exists, else the first one. */
  readonly user?: ByPlatform<readonly UserPath[]>;
  /** A variable that moves the user's file: to a folder that contains `file`, or to the file that it names. */
  readonly movedBy?: readonly [variable: string, file?: string];
  /** The same below a project. */
  readonly project?: readonly string[];
  /** It is installed if one of its folders or programs exists. */
  readonly folders: ByPlatform<readonly UserPath[]>;
  readonly programs: readonly string[];
  /** It starts `npx` on Windows, where that is no program but a script. */
  readonly startsScripts?: boolean;
  readonly local: (command: string, args: readonly string[]) => Entry;
  /** Undefined if a file cannot connect it over HTTP. */
  readonly remote: ((url: string, headers: Readonly<{ headers?: Entry }>) => Entry) | undefined;
  /** What else a new file needs. */
  readonly newFile?: string;
  /** What the keys of its entry are for that do not say how to reach the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A command that does the same for the user, its own if that can. */
  readonly add?: (connection: Connection) => string;
  /** What to do next. */
  readonly next: string;
  /** What to do next in a project, where it is something else. */
  readonly nextInProject?: string;
}

/** The entry for a client. */
export function entryFor(client: Client, connection: Connection, platform: string): Entry | undefined {
  const needsShell = platform === "win32" && client.startsScripts !== true;
  const command = needsShell ? ["cmd", "/c", ...SERVER_COMMAND] : SERVER_COMMAND;
  const entry = formOf(client, connection, command);
  if (entry === undefined) return undefined;
  return client.inList === true ? { name: ENTRY_NAME, ...entry } : entry;
}

/** Why an entry says more than how to reach the server, in one line; undefined if it does not. */
export function whyOf({ settings = {} }: Pick<Client, "settings">, entry: Entry): string | undefined {
  const reasons = Object.entries(settings).flatMap(([key, why]) => (key in entry ? [`${key}: ${why}`] : []));
  return reasons.length === 0 ? undefined : `${reasons.join("; ")}.`;
}

export function formOf(
  { local, remote }: Pick<Client, "local" | "remote">,
  connection: Connection,
  [command = "", ...args]: readonly string[] = SERVER_COMMAND,
): Entry | undefined {
  if (connection.kind === "local") return local(command, [...args, ...(connection.args ?? [])]);
  const { url, token } = connection;
  return remote?.(url, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });
}

/** What says how to reach a server. Everything else in an entry is the user's own and stays. */
const REACH: ReadonlySet<string> = new Set([
  ...["name", "type", "transport", "command", "args", "cmd", "url", "httpUrl", "serverUrl", "uri"],
]);

/** What makes sense for a program only, and for an address only. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(["env", "cwd", "envs", "env_keys", "env_vars"]);
const FOR_ADDRESSES: ReadonlySet<string> = new Set([
  ...["headers", "http_headers", "env_http_headers", "bearer_token_env_var", "oauth", "requestOptions"],
]);

/** Our entry with what a user added to it: variables, limits and the like. It is enabled again. */
export function mergeEntry(old: Entry, entry: Entry): Entry {
  const meaningless = isLocal(entry) ? FOR_ADDRESSES : FOR_PROGRAMS;
  // Ours for a program; whether to depend on an address is for the user to say.
  const isLeft = (key: string): boolean => key === "required" && isLocal(old) && !isLocal(entry);
  const kept = Object.entries(old).filter(
    ([key, value]) =>
      !REACH.has(key) &&
      !meaningless.has(key) &&
      !isLeft(key) &&
      !(key === "enabled" && value === false) &&
      !(key === "disabled" && value === true),
  );
  const { type, ...rest } = entry;
  // A program is what clients expect without a type.
  const isImplied = type === undefined || (type === "stdio" && isLocal(old) && !("type" in old));
  return { ...(isImplied ? rest : entry), ...Object.fromEntries(kept) };
}

function isLocal(entry: Entry): boolean {
  const { transport } = entry;
  const inner = typeof transport === "object" && transport !== null ? (transport as Entry) : entry;
  return "command" in inner || "cmd" in inner;
}

const OUR_PROGRAM = /(?:^|[\\/])skills-mcp(?:@[^\\/]*)?$|skills-mcp[\\/]dist[\\/]cli\.js$/;

/** Whether an entry starts skills-mcp, in whatever way, or has the same address as `entry`. */
export function isOurs(found: Entry, entry: Entry | undefined): boolean {
  const words = ["command", "args", "cmd", "transport"].flatMap((key) => textsIn(found[key]));
  if (words.some((word) => OUR_PROGRAM.test(word))) return true;
  const address = addressIn(found);
  return address !== undefined && entry !== undefined && address === addressIn(entry);
}

function addressIn(entry: Entry): string | undefined {
  const transport = entry["transport"];
  const places = [entry, typeof transport === "object" && transport !== null ? (transport as Entry) : {}];
  return places
    .flatMap((place) => ["url", "httpUrl", "serverUrl", "uri"].map((key) => place[key]))
    .find((value) => typeof value === "string");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
