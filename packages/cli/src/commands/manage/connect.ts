import type { ConnectTarget, ServerConnection, StepFor } from "#agents";
import {
  applyStep,
  type ConnectRequest,
  connectTargetsNamed,
  findAgents,
  planStep,
  type Surroundings,
  surroundingsOf,
} from "#agents";
import { defineCommand, printJson, type Terminal } from "../../command.ts";
import { badUsage, type Flags, flag } from "../../flags.ts";
import {
  clientListJson,
  connectStepJson,
  renderClientList,
  renderOutcome,
  renderPlan,
} from "../../render/connect-plan.ts";
import { count } from "../../render/text.ts";
import { JSON_FLAG, userFolder } from "../../shared-flags.ts";

const FLAGS = {
  scope: flag.choice(["user", "project"], "the user's configuration (default) or that of this project"),
  "dry-run": flag.switch("show the changes without making them"),
  yes: flag.switch("do not ask"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
  ...JSON_FLAG,
} satisfies Flags;

/** `skills-mcp connect`: writes our entry into the configuration of clients. */
export const connect = defineCommand({
  name: "connect",
  flags: {
    list: flag.switch("list all clients, and whether each is installed and connected"),
    http: flag.text("<url>", "connect to a running server, such as http://127.0.0.1:4700/mcp"),
    force: flag.switch("replace an entry 'skills' that does not start skills-mcp"),
    ...FLAGS,
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
    return change(
      clients,
      { scope, force, connection },
      { ...given, isNamed: positionals.length > 0 },
      terminal,
    );
  },
});

/** `skills-mcp disconnect`: removes it again. */
export const disconnect = defineCommand({
  name: "disconnect",
  flags: { force: flag.switch("remove an entry 'skills' that does not start skills-mcp"), ...FLAGS },
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
    return change(
      clients,
      { scope, force, connection: undefined },
      { ...given, isNamed: positionals.length > 0 },
      terminal,
    );
  },
});

interface Given {
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly "user-dir": string | undefined;
}

function surroundingsFor(given: Pick<Given, "user-dir">): Surroundings {
  return surroundingsOf(given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]));
}

async function installedClients(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly ConnectTarget[]> {
  const found = await findAgents(scope, surroundings);
  return found.filter(({ isInstalled, file }) => isInstalled && file !== undefined).map(({ agent }) => agent);
}

async function connectedClients(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly ConnectTarget[]> {
  const found = await findAgents(scope, surroundings);
  return found.filter(({ state }) => state === "connected").map(({ agent }) => agent);
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

/** Plan, show, ask, apply. */
async function change(
  clients: readonly ConnectTarget[],
  request: ConnectRequest,
  given: Given & { readonly isNamed: boolean },
  terminal: Terminal,
): Promise<number> {
  const surroundings = surroundingsFor(given);
  const { home } = surroundings;
  const steps = await Promise.all(clients.map((agent) => planStep(agent, request, surroundings)));
  const verb = request.connection === undefined ? "disconnect" : "connect";
  const changes = steps.filter(({ action }) => action !== "none" && action !== "refuse").length;
  if (!given.json) terminal.print(renderPlan(steps, home, terminal.width, terminal.style));
  const decision = changes === 0 ? "none" : await decide(verb, changes, given, terminal);
  const applied =
    decision === "apply" ? await applyAll(steps, surroundings) : steps.map((step) => ({ step }));
  if (given.json) {
    const dryRun = decision !== "apply" && changes > 0;
    printJson(terminal, { scope: request.scope, dryRun, clients: applied.map(connectStepJson) });
  } else if (decision === "apply") {
    const failed = applied.filter((_, index) => steps[index]?.action !== "refuse").map(({ step }) => step);
    terminal.print(renderOutcome({ verb, failed, applied }, home, terminal.style));
  } else if (decision === "decline" || decision === "dry-run") {
    terminal.print(`\nNothing was changed${decision === "dry-run" ? " (--dry-run)" : ""}.\n`);
  }
  if (decision === "unasked") {
    const message = `Nothing was changed. Name the clients to ${verb}, or add --yes for all of them.`;
    throw badUsage("--yes", message);
  }
  return applied.some(({ step }) => step.action === "refuse") ? 1 : 0;
}

async function decide(
  verb: string,
  changes: number,
  given: Given & { readonly isNamed: boolean },
  { ask }: Terminal,
): Promise<"apply" | "dry-run" | "decline" | "unasked"> {
  if (given["dry-run"]) return "dry-run";
  if (given.isNamed || given.yes) return "apply";
  // A question would not be JSON.
  if (ask === undefined || given.json) return "unasked";
  const answer = await ask(`\nChange ${count(changes, "file")} to ${verb}? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim()) ? "apply" : "decline";
}

/** One after the other: each adds to the same record. */
async function applyAll(steps: readonly StepFor<ConnectTarget>[], surroundings: Surroundings) {
  const applied = [];
  for (const step of steps) applied.push(await applyStep(step, surroundings));
  return applied;
}
