import { findAgents, type ServerConnection } from "#agents";
import { CHANGE_FLAGS, surroundingsFor } from "../change-agents.ts";
import { defineCommand, printJson } from "../command.ts";
import { changeClients } from "../connect-clients.ts";
import { badUsage, flag } from "../flags.ts";
import { agentsJson, renderAgents } from "../render/connect-plan.ts";

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
    ...CHANGE_FLAGS,
  },
  takes: "any",
  async run(invocation) {
    const { given, terminal } = invocation;
    if (!given.list) return changeClients(invocation, connectionTo(given.http));
    const surroundings = surroundingsFor(given);
    const found = await findAgents(given.scope ?? "user", surroundings);
    if (given.json) printJson(terminal, { clients: agentsJson(found) });
    else terminal.print(renderAgents(found, ["CLIENT", "STATE"], surroundings.home, terminal));
    return 0;
  },
});

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
