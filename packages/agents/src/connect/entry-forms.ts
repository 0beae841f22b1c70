import type { ConfigEntry } from "../documents/document.ts";
import type { ConnectForm, ServerConnection } from "./connect-form.ts";

/** The name of our entry in every configuration. */
export const ENTRY_NAME = "skills";

/** The command that an entry starts. */
export const SERVER_COMMAND: readonly string[] = ["npx", "-y", "skills-mcp"];

type EntryForm = Pick<ConnectForm, "local" | "remote">;

/** The configuration that most agents share: a map `mcpServers` in a JSON file. */
export const JSON_SERVERS = {
  format: "json",
  keys: ["mcpServers"],
  programs: [],
  local: (command: string, args: readonly string[]): ConfigEntry => ({ command, args }),
  remote: (url: string, headers: Readonly<{ headers?: ConfigEntry }>): ConfigEntry => ({ url, ...headers }),
} as const;

/** Entries that say how the server is reached. */
export const TYPED: EntryForm = {
  local: (command, args) => ({ type: "stdio", command, args }),
  remote: (url, headers) => ({ type: "http", url, ...headers }),
};

/** Entries of opencode and of what began as a copy of it. */
export const LIKE_OPENCODE: EntryForm = {
  local: (command, args) => ({ type: "local", command: [command, ...args], enabled: true }),
  remote: (url, headers) => ({ type: "remote", url, enabled: true, ...headers }),
};

/** An entry for a connection; undefined if the form has none for it. */
export function formOf(
  { local, remote }: EntryForm,
  connection: ServerConnection,
  [command = "", ...args]: readonly string[] = SERVER_COMMAND,
): ConfigEntry | undefined {
  if (connection.kind === "local") return local(command, [...args, ...(connection.args ?? [])]);
  const { url, token } = connection;
  return remote?.(url, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });
}

/** The `mcp add` of an agent that takes the command after `--`. */
export function addCommand(program: string, forUser: string): (connection: ServerConnection) => string {
  return (connection) =>
    connection.kind === "local"
      ? `${program} mcp add${forUser} ${ENTRY_NAME} -- ${SERVER_COMMAND.join(" ")}`
      : `${program} mcp add${forUser} --transport http ${ENTRY_NAME} ${connection.url}${header(connection)}`;
}

/** The `mcp add` of Gemini CLI and of what began as a copy of it: `--` stands between the program and its arguments. */
export function addLikeGemini(program: string): (connection: ServerConnection) => string {
  const [command = "", ...args] = SERVER_COMMAND;
  return (connection) =>
    connection.kind === "local"
      ? `${program} mcp add --scope user ${ENTRY_NAME} ${command} -- ${args.join(" ")}`
      : `${program} mcp add --scope user --transport http${header(connection)} ${ENTRY_NAME} ${connection.url}`;
}

function header({ token }: { readonly token?: string }): string {
  return token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`;
}
