import type { ConfigEntry } from "../documents/document.ts";
import { textsIn } from "../documents/values.ts";
import type { ConnectTarget, ServerConnection } from "./connect-form.ts";
import { ENTRY_NAME, formOf, SERVER_COMMAND } from "./entry-forms.ts";

/** The entry of our server in an agent's configuration; undefined if that has none for the connection. */
export function entryFor(
  agent: Pick<ConnectTarget, "local" | "remote" | "startsScripts" | "inList">,
  connection: ServerConnection,
  platform: string,
): ConfigEntry | undefined {
  const needsShell = platform === "win32" && agent.startsScripts !== true;
  const command = needsShell ? ["cmd", "/c", ...SERVER_COMMAND] : SERVER_COMMAND;
  const entry = formOf(agent, connection, command);
  if (entry === undefined) return undefined;
  return agent.inList === true ? { name: ENTRY_NAME, ...entry } : entry;
}

/** Why an entry says more than how to reach the server, in one line; undefined if it does not. */
export function whyOf(
  { settings = {} }: Pick<ConnectTarget, "settings">,
  entry: ConfigEntry,
): string | undefined {
  const reasons = Object.entries(settings).flatMap(([key, why]) => (key in entry ? [`${key}: ${why}`] : []));
  return reasons.length === 0 ? undefined : `${reasons.join("; ")}.`;
}

/** The keys that say how to reach a server. Everything else in an entry is the user's own and stays. */
const REACH: ReadonlySet<string> = new Set([
  ...["name", "type", "transport", "command", "args", "cmd", "url", "httpUrl", "serverUrl", "uri"],
]);

/** Keys that make sense only for a server that is started, and only for one that has an address. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(["env", "cwd", "envs", "env_keys", "env_vars"]);
const FOR_ADDRESSES: ReadonlySet<string> = new Set([
  ...["headers", "http_headers", "env_http_headers", "bearer_token_env_var", "oauth", "requestOptions"],
]);

/** Our entry with what a user added to it: variables, limits and the like. It is enabled again. */
export function mergeEntry(old: ConfigEntry, entry: ConfigEntry): ConfigEntry {
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

function isLocal(entry: ConfigEntry): boolean {
  const { transport } = entry;
  const inner = typeof transport === "object" && transport !== null ? (transport as ConfigEntry) : entry;
  return "command" in inner || "cmd" in inner;
}

const OUR_PROGRAM = /(?:^|[\\/])skills-mcp(?:@[^\\/]*)?$|skills-mcp[\\/]dist[\\/]cli\.js$/;

/** Whether an entry starts skills-mcp, in whatever way, or has the same address as `entry`. */
export function isOurs(found: ConfigEntry, entry: ConfigEntry | undefined): boolean {
  const words = ["command", "args", "cmd", "transport"].flatMap((key) => textsIn(found[key]));
  if (words.some((word) => OUR_PROGRAM.test(word))) return true;
  const address = addressIn(found);
  return address !== undefined && entry !== undefined && address === addressIn(entry);
}

function addressIn(entry: ConfigEntry): string | undefined {
  const transport = entry["transport"];
  const places = [
    entry,
    typeof transport === "object" && transport !== null ? (transport as ConfigEntry) : {},
  ];
  return places
    .flatMap((place) => ["url", "httpUrl", "serverUrl", "uri"].map((key) => place[key]))
    .find((value) => typeof value === "string");
}
