import { isRecord } from "#util/pure";
import type { ConfigEntry } from "../documents/document.ts";
import { textsIn } from "../documents/values.ts";
import type { ConnectTarget, ServerConnection } from "./connect-form.ts";
import { ENTRY_NAME, formOf } from "./entry-forms.ts";

/** The entry of our server in an agent's configuration; undefined if that has none for the connection. */
export function entryFor(
  agent: Pick<ConnectTarget, "local" | "remote" | "startsScripts" | "inList">,
  connection: ServerConnection,
  platform: string,
): ConfigEntry | undefined {
  const needsShell =
    platform === "win32" &&
    agent.startsScripts !== true &&
    connection.kind === "local" &&
    connection.command[0] === "npx";
  const reached = needsShell ? { ...connection, command: ["cmd", "/c", ...connection.command] } : connection;
  const entry = formOf(agent, reached);
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

/** Our entry with what a user added to it: variables, headers, limits and the like. It is enabled again. */
export function mergeEntry(found: ConfigEntry, wanted: ConfigEntry): ConfigEntry {
  const bringsToken = Object.keys(wanted).some((key) => TOKEN_PLACES.has(key));
  const old = bringsToken ? withoutToken(found) : found;
  const entry = bringsToken ? withHeaders(old, wanted) : wanted;
  const meaningless = isLocal(entry) ? FOR_ADDRESSES : FOR_PROGRAMS;
  // Older versions required the program that npx starts, which kept Codex from starting without a network.
  const wasRequired = isLocal(old) && wordsIn(old).includes("npx");
  const isLeft = (key: string): boolean => key === "required" && wasRequired;
  const kept = Object.entries(old).filter(
    ([key, value]) =>
      !REACH.has(key) &&
      !meaningless.has(key) &&
      !isLeft(key) &&
      !(bringsToken && TOKEN_PLACES.has(key) && key in entry) &&
      !(key === "enabled" && value === false) &&
      !(key === "disabled" && value === true),
  );
  const { type, ...rest } = entry;
  // A program is what clients expect without a type.
  const isImplied = type === undefined || (type === "stdio" && isLocal(old) && !("type" in old));
  return { ...(isImplied ? rest : entry), ...Object.fromEntries(kept) };
}

/** Where an entry has a bearer token: in a map of headers, in a map that contains one, or as a setting that names a variable. */
const TOKEN_PLACES: ReadonlySet<string> = new Set([
  ...["headers", "http_headers", "env_http_headers", "requestOptions", "bearer_token_env_var"],
]);

/** An entry without the token that it has. Other headers stay. */
function withoutToken(entry: ConfigEntry): ConfigEntry {
  const left = Object.entries(entry).flatMap(([key, value]): [string, unknown][] => {
    if (key === "bearer_token_env_var") return [];
    if (!TOKEN_PLACES.has(key) || !isRecord(value)) return [[key, value]];
    if (key === "requestOptions") return [[key, withoutToken(value)]];
    const others = Object.entries(value).filter(([name]) => name.toLowerCase() !== "authorization");
    return others.length === 0 ? [] : [[key, Object.fromEntries(others)]];
  });
  return Object.fromEntries(left);
}

/** An entry with the headers of another one beside its own. */
function withHeaders(old: ConfigEntry, entry: ConfigEntry): ConfigEntry {
  const merged = Object.entries(entry).map(([key, value]): [string, unknown] => {
    const before = old[key];
    if (!TOKEN_PLACES.has(key) || !isRecord(value) || !isRecord(before)) return [key, value];
    return [key, { ...before, ...withHeaders(before, value) }];
  });
  return Object.fromEntries(merged);
}

function isLocal(entry: ConfigEntry): boolean {
  const { transport } = entry;
  const inner = typeof transport === "object" && transport !== null ? (transport as ConfigEntry) : entry;
  return "command" in inner || "cmd" in inner;
}

/** What any version wrote or people write by hand: the command, a package of that name, a folder of that name, a copy of ours. */
const OUR_PROGRAM =
  /(?:^|[\\/])skills-mcp(?:@[^\\/]*)?$|(?:skills-mcp|\.skills-mcp[\\/]bin[\\/][^\\/]+)[\\/]dist[\\/]cli\.js$/;

/**
 * Whether an entry starts skills-mcp, in whatever way, or has the same script or address as `entry`. `own` has the script of
 * this program and the name of its package.
 */
export function isOurs(
  found: ConfigEntry,
  entry: ConfigEntry | undefined,
  own: readonly string[] = [],
): boolean {
  const scripts = entry === undefined ? [] : wordsIn(entry).filter((word) => /[\\/]cli\.js$/.test(word));
  const isOurWord = (word: string): boolean =>
    OUR_PROGRAM.test(word) ||
    [...own, ...scripts].some((known) => word === known || word.startsWith(`${known}@`)) ||
    own.some((name) => word.replaceAll("\\", "/").endsWith(`/${name}/dist/cli.js`));
  if (wordsIn(found).some(isOurWord)) return true;
  const address = addressIn(found);
  return address !== undefined && entry !== undefined && address === addressIn(entry);
}

function wordsIn(entry: ConfigEntry): readonly string[] {
  return ["command", "args", "cmd", "transport"].flatMap((key) => textsIn(entry[key]));
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
