import type { ConnectTarget } from "#agents";
import { connectTargetsNamed, findAgents, type Surroundings } from "#agents";
import { defineCommand, printJson } from "../command.ts";
import { CONNECT_FLAGS, changeClients, surroundingsFor } from "../connect-clients.ts";
import { flag } from "../flags.ts";

/** `skills-mcp disconnect`: removes our entry from the configuration of clients. */
export const command = defineCommand({
  name: "disconnect",
  usage: "[client]…",
  summary: "remove this server from agents",
  order: 240,
  bundle: "manage",
  flags: { force: flag.switch("remove an entry 'skills' that does not start skills-mcp"), ...CONNECT_FLAGS },
  takes: "any",
  async run({ given, positionals, terminal }) {
    const { scope = "user", force } = given;
    const clients =
      positionals.length > 0
        ? connectTargetsNamed(positionals)
        : await connectedClients(scope, surroundingsFor(given));
    if (clients.length === 0) {
      if (given.json) printJson(terminal, { scope, dryRun: given["dry-run"], clients: [] });
      else terminal.print("No client is connected.\n");
      return 0;
    }
    return changeClients(
      clients,
      { scope, force, connection: undefined },
      { ...given, isNamed: positionals.length > 0 },
      terminal,
    );
  },
});

async function connectedClients(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly ConnectTarget[]> {
  const found = await findAgents(scope, surroundings);
  return found.filter(({ state }) => state === "connected").map(({ agent }) => agent);
}
