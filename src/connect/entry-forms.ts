import { type Client, type Connection, ENTRY_NAME, SERVER_COMMAND } from "./client.ts";
import type { Entry } from "./documents/document.ts";

type Form = Pick<Client, "local" | "remote">;

/** The entry that most clients share. */
export const PLAIN: Form = {
  local: (command, args) => ({ command, args }),
  remote: (url, headers) => ({ url, ...headers }),
};

export const TYPED: Form = {
  local: (command, args) => ({ type: "stdio", command, args }),
  remote: (url, headers) => ({ type: "http", url, ...headers }),
};

export const OPENCODE: Form = {
  local: (command, args) => ({ type: "local", command: [command, ...args], enabled: true }),
  remote: (url, headers) => ({ type: "remote", url, enabled: true, ...headers }),
};

export const GOOSE: Form = {
  local: (cmd, args) => gooseEntry("stdio", { cmd, args }),
  remote: (uri, headers) => gooseEntry("streamable_http", { uri, ...headers }),
};

function gooseEntry(type: string, more: Entry): Entry {
  return { enabled: true, type, name: ENTRY_NAME, description: "Agent Skills", ...more, timeout: 300 };
}

const COMMAND = SERVER_COMMAND.join(" ");

/** The `mcp add` of a client that takes the command after `--`. */
export function addCommand(program: string, forUser: string): (connection: Connection) => string {
  return (connection) =>
    connection.kind === "local"
      ? `${program} mcp add${forUser} ${ENTRY_NAME} -- ${COMMAND}`
      : `${program} mcp add${forUser} --transport http ${ENTRY_NAME} ${connection.url}${header(connection)}`;
}

/** The `mcp add` of Gemini CLI and of what began as a copy of it: `--` stands between the program and its arguments. */
export function addLikeGemini(program: string): (connection: Connection) => string {
  const [command = "", ...args] = SERVER_COMMAND;
  return (connection) =>
    connection.kind === "local"
      ? `${program} mcp add --scope user ${ENTRY_NAME} ${command} -- ${args.join(" ")}`
      : `${program} mcp add --scope user --transport http${header(connection)} ${ENTRY_NAME} ${connection.url}`;
}

export function addToCodex(connection: Connection): string {
  if (connection.kind === "local") return `codex mcp add ${ENTRY_NAME} -- ${COMMAND}`;
  const token = connection.token === undefined ? "" : " --bearer-token-env-var SKILLS_TOKEN";
  return `codex mcp add ${ENTRY_NAME} --url ${connection.url}${token}`;
}

function header({ token }: { readonly token?: string }): string {
  return token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`;
}
