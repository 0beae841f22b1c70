import type { ConnectTarget, ServerConnection } from "#agents";
import { connectTargetsNamed, findAgents, type Surroundings } from "#agents";
import { defineCommand, printJson } from "../command.ts";
import { CONNECT_FLAGS, changeClients, surroundingsFor } from "../connect-clients.ts";
import { badUsage, flag } from "../flags.ts";
import { clientListJson, renderClientList } from "../render/connect-plan.ts";

/** `skills-mcp connect`: writes our entry into the configuration of clients. */
export const command = defineCommand({
  name: "connect",
  usage: "[client]…",
  summary: "add this server to installed agents",
  order: 230,
  bundle: "manage",
  flags: {
    list: flag.switch("list all clients, and whether each is installed and connected"),
    http: flag.text("<url>", "connect to a running server, such as http://127.0.0.1:4700/mcp"),
    force: flag.switch("replace an entry 'skills' that does not start skills-mcp"),
    ...CONNECT_FLAGS,
  },
  takes: "any",
  async run({ given, positionals, terminal }) {
    const surroundings = surroundingsFor(given);
    const { scope = "user", force } = given;
    if (given.list) {
      const found = await findAgents(scope, surroundings);
      if (given.json) printJson(terminal, clientListJson(found));
      else terminal.print(renderClientList(found, surroundings.home, terminal.width, terminal.style));
      return 0;
    }
    const connection = connectionTo(given.http);
    const clients =
      positionals.length > 0 ? connectTargetsNamed(positionals) : await installedClients(scope, surroundings);
    if (clients.length === 0) {
      terminal.logLine(
        "skills-mcp: No known client is installed. Name one, or run skills-mcp connect --list.",
      );
      return 1;
    }
    return changeClients(
      clients,
      { scope, force, connection },
      { ...given, isNamed: positionals.length > 0 },
      terminal,
    );
  },
});

async function installedClients(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly ConnectTarget[]> {
  const found = await findAgents(scope, surroundings);
  return found.filter(({ isInstalled, file }) => isInstalled && file !== undefined).map(({ agent }) => agent);
}

function connectionTo(url: string | undefined): ServerConnection {
  if (url === undefined) return { kind: "local" };
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw badUsage(
      "--http",
      `--http takes the address of a server, such as http://127.0.0.1:4700/mcp, not '${url}'.`,
    );
  }
  return { kind: "http", url };
}
