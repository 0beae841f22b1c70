import { findAgents, ownProgram, type ServerConnection } from "#agents";
import { ownPackage, VERSION } from "#util";
import { CHANGE_FLAGS, surroundingsFor } from "../change-agents.ts";
import { defineCommand, printJson } from "../command.ts";
import { changeClients } from "../connect-clients.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { agentsJson, renderAgents } from "../render/connect-plan.ts";

const FLAGS = {
  list: flag.switch("list all agents, and whether each is installed and connected", "l"),
  all: flag.switch("with --list: also list the agents that are not installed"),
  http: flag.text("<url>", "connect to a running server, such as http://127.0.0.1:4700/mcp"),
  token: flag.text("<token>", "bearer token of that server, written as it is into your own configuration"),
  "token-env": flag.text("<name>", "environment variable that has the token when the agent runs"),
  portable: flag.switch("start the published package with npx, in files that a team shares"),
  force: flag.switch("replace an entry 'skills' that does not start skills-mcp"),
  ...CHANGE_FLAGS,
};

/** `skills-mcp connect`: writes our entry into the configuration of clients. */
export const command = defineCommand({
  name: "connect",
  usage: "[agent]…",
  summary: "add this server to installed agents",
  order: 230,
  bundle: "manage",
  examples: ["connect", "connect claude-code --http https://skills.example.com/mcp --token-env SKILLS_TOKEN"],
  flags: FLAGS,
  takes: "any",
  async run(invocation) {
    const { given, terminal } = invocation;
    const surroundings = surroundingsFor(given);
    if (!given.list) {
      const { program, copy } = ownProgram().kept(surroundings.ownFolder);
      if (given.http !== undefined && given.portable)
        throw badUsage(
          "--portable",
          "--portable starts a program, and --http connects to one that runs: use one.",
        );
      if (given.http !== undefined) return changeClients(invocation, connectionTo(given.http, given));
      refuseTokens(given);
      if (given.portable) return changeClients(invocation, { kind: "local", command: portableCommand() });
      return changeClients(invocation, { kind: "local", command: [program.node, program.script] }, copy);
    }
    const found = await findAgents(given.scope ?? "user", surroundings);
    if (given.json) printJson(terminal, { clients: agentsJson(found) });
    else {
      const listAll =
        given.all || terminal.width === undefined ? undefined : "skills-mcp connect --list --all";
      const list = {
        titles: ["CLIENT", "STATE"],
        none: "not connected",
        home: surroundings.home,
        listAll,
      } as const;
      terminal.print(renderAgents(found, list, terminal));
    }
    return 0;
  },
});

/** What starts the same version on the machines of others. */
function portableCommand(): readonly string[] {
  const { name, isPublished } = ownPackage();
  if (isPublished) return ["npx", "--prefer-offline", "-y", `${name}@${VERSION}`];
  throw badUsage(
    "--portable",
    "--portable needs a published package, and this build was not published: without --portable, connect writes the path of this program.",
  );
}

function refuseTokens({ token, "token-env": tokenEnv }: TokenFlags): void {
  const needless = token === undefined ? (tokenEnv === undefined ? undefined : "--token-env") : "--token";
  if (needless !== undefined)
    throw badUsage(needless, `${needless} is for a server with an address: pass its --http <url> too.`);
}

type TokenFlags = Pick<FlagValues<typeof FLAGS>, "token" | "token-env" | "scope">;

function connectionTo(url: string, { token, "token-env": tokenEnv, scope }: TokenFlags): ServerConnection {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw badUsage(
      "--http",
      `--http takes the address of a server, such as http://127.0.0.1:4700/mcp, not '${url}'.`,
    );
  }
  if (token !== undefined && tokenEnv !== undefined)
    throw badUsage("--token-env", "--token and --token-env contradict each other: pass one of them.");
  if (token !== undefined && scope === "project") {
    throw badUsage(
      "--token",
      "A project's files are shared, and everybody who reads them would have the token. Name an environment variable instead: --token-env SKILLS_TOKEN.",
    );
  }
  if (token !== undefined && !/^[!-~]+$/.test(token))
    throw badUsage("--token", "--token takes a token: letters, digits and signs, without spaces.");
  if (tokenEnv !== undefined && !/^[A-Za-z_]\w*$/.test(tokenEnv))
    throw badUsage("--token-env", `--token-env takes the name of a variable, not '${tokenEnv}'.`);
  return {
    kind: "http",
    url,
    ...(token === undefined ? {} : { token }),
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
  };
}
