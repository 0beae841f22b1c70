import type { ServerConnection } from "#agents";
import { askServer, type ServerReply } from "#server";
import { count } from "./render/text.ts";

/** What a server said that agents were connected to; `message` is a whole sentence. */
export type ConnectionCheck = { readonly message: string } & (ServerReply | { readonly ok: undefined });

/**
 * Calls the server once as a connected agent does. Undefined for a program that may have to be downloaded first; `ok` is
 * undefined where the server could not be called from here. `home` is the home folder of the program that is started.
 */
export async function checkConnection(
  connection: ServerConnection,
  home: string,
): Promise<ConnectionCheck | undefined> {
  if (connection.kind === "http") return checkAddress(connection);
  const { command } = connection;
  if (command[0] === "npx") return undefined;
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const reply = await askServer({ kind: "local", program: command, env });
  return { ...reply, message: reply.ok ? works(reply) : `The server does not work: ${reply.reason}.` };
}

async function checkAddress({
  url,
  token: written,
  tokenEnv,
}: ServerConnection & { readonly kind: "http" }): Promise<ConnectionCheck> {
  const token = tokenEnv === undefined ? written : process.env[tokenEnv]?.trim() || undefined;
  if (tokenEnv !== undefined && token === undefined) {
    const message = `${tokenEnv} is not set here, so the server was not called. The agents need it in their environment.`;
    return { ok: undefined, message };
  }
  const reply = await askServer({ kind: "http", url, token });
  if (reply.ok) return { ...reply, message: works(reply) };
  return { ...reply, message: `${url}: ${whyNot(reply, token !== undefined)}` };
}

function works({ skills, tools }: ServerReply & { readonly ok: true }): string {
  return `The server answers: ${skills === 0 ? `no skills, ${count(tools, "tool")}` : count(skills, "skill")}.`;
}

function whyNot({ status, reason }: ServerReply & { readonly ok: false }, hasToken: boolean): string {
  if (status === 401)
    return hasToken
      ? "The server does not accept the token (401)."
      : "The server wants a token (401). Connect again with --token-env <name>, or --token <token>.";
  if (status === 403) return "The server denies access (403). Ask its operator which scopes the token needs.";
  if (status === 404) return "There is no MCP server at this path (404). The path is usually /mcp.";
  return `The server does not work: ${reason}.`;
}
