import type { Entry } from "../documents/document.ts";
import { type Client, type Connection, ENTRY_NAME, SERVER_COMMAND } from "./client.ts";

type Form = Pick<Client, "local" | "remote" | "settings">;

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

/**
 * `omit_tools_from` keeps the tools from being deferred: their texts are shown at once. `required` makes the first turn wait for the
 * server, but Codex does not start at all without it: nothing to ask of a server that somebody else runs.
 */
export const CODEX: Form = {
  local: (command, args) => ({ command, args, required: true, omit_tools_from: ["deferred"] }),
  remote: (url, { headers }) => ({
    url,
    ...(headers && { bearer_token_env_var: "SKILLS_TOKEN" }),
    omit_tools_from: ["deferred"],
  }),
  settings: {
    required: "the first turn waits for the server",
    omit_tools_from: "the model sees the skills at once",
  },
};

/** Otherwise the model has to search for the tool before it sees a skill. */
export const QWEN: Form = {
  local: (command, args) => ({ command, args, alwaysLoadTools: true }),
  remote: (httpUrl, headers) => ({ httpUrl, ...headers, alwaysLoadTools: true }),
  settings: { alwaysLoadTools: "the model sees the skills at once" },
};

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

/** Its own `mcp add` cannot write the settings that show the skills; ours cannot write a token. */
export function addToCodex(connection: Connection): string {
  if (connection.kind === "local") return `${COMMAND} connect codex`;
  const { url, token } = connection;
  return token === undefined
    ? `${COMMAND} connect codex --http ${url}`
    : `codex mcp add ${ENTRY_NAME} --url ${url} --bearer-token-env-var SKILLS_TOKEN`;
}

function header({ token }: { readonly token?: string }): string {
  return token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`;
}
