import { commandText } from "#util/pure";
import type { ConfigEntry } from "../documents/document.ts";
import type { ConnectForm, ServerConnection } from "./connect-form.ts";

/** The name of our entry in every configuration. */
export const ENTRY_NAME = "skills";

/** The environment variable that is shown for a token in lines to copy. */
export const TOKEN_VARIABLE = "SKILLS_TOKEN";

type EntryForm = Pick<ConnectForm, "local" | "remote" | "tokenEnv">;

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
  tokenEnv: { header: (variable) => `Bearer {env:${variable}}` }, // docs
  local: (command, args) => ({ type: "local", command: [command, ...args], enabled: true }),
  remote: (url, headers) => ({ type: "remote", url, enabled: true, ...headers }),
};

/** An entry for a connection; undefined if the form has none for it. */
export function formOf(
  { local, remote, tokenEnv: named }: EntryForm,
  connection: ServerConnection,
): ConfigEntry | undefined {
  if (connection.kind === "local") {
    const [program = "", ...args] = connection.command;
    return local(program, args);
  }
  const { url, token, tokenEnv } = connection;
  if (remote === undefined) return undefined;
  const withHeader = (value: string) => remote(url, { headers: { Authorization: value } });
  if (tokenEnv === undefined) return token === undefined ? remote(url, {}) : withHeader(`Bearer ${token}`);
  if (named === undefined) return undefined;
  return "setting" in named
    ? { ...remote(url, {}), [named.setting]: tokenEnv }
    : withHeader(named.header(tokenEnv));
}

/** The `mcp add` of an agent that takes the command after `--`. */
export function addCommand(program: string, forUser: string): (connection: ServerConnection) => string {
  return (connection) =>
    connection.kind === "local"
      ? `${program} mcp add${forUser} ${ENTRY_NAME} -- ${commandText([], connection.command)}`
      : `${program} mcp add${forUser} --transport http ${ENTRY_NAME} ${connection.url}${header(connection)}`;
}

/** The `mcp add` of Gemini CLI and of what began as a copy of it: `--` stands between the program and its arguments. */
export function addLikeGemini(program: string): (connection: ServerConnection) => string {
  return (connection) => {
    if (connection.kind === "http")
      return `${program} mcp add --scope user --transport http${header(connection)} ${ENTRY_NAME} ${connection.url}`;
    const [command = "", ...args] = connection.command;
    const added = `${program} mcp add --scope user ${ENTRY_NAME} ${commandText([], [command])}`;
    return args.length === 0 ? added : `${added} -- ${commandText([], args)}`;
  };
}

function header({ token }: { readonly token?: string }): string {
  return token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`;
}
