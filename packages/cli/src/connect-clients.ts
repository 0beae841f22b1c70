import { connectTargetsNamed, findAgents, planStep, type ServerConnection } from "#agents";
import { platform } from "#util";
import { applyPlan, type CHANGE_FLAGS, surroundingsFor } from "./change-agents.ts";
import { checkConnection } from "./check-connection.ts";
import { type CommandInvocation, printJson } from "./command.ts";
import { badUsage, type flag } from "./flags.ts";
import { renderCheck, renderOutcome, stepJson } from "./render/connect-plan.ts";

type ConnectFlags = typeof CHANGE_FLAGS & { readonly force: ReturnType<typeof flag.switch> };

/** Connects the clients that people named, or all that are installed; without a connection, disconnects those that are connected. */
export async function changeClients(
  {
    given,
    positionals,
    terminal,
  }: Pick<CommandInvocation<ConnectFlags>, "given" | "positionals" | "terminal">,
  connection?: ServerConnection,
  copy?: Parameters<typeof applyPlan>[0]["copy"],
): Promise<number> {
  const surroundings = surroundingsFor(given);
  const { scope = "user", force } = given;
  const isNamed = positionals.length > 0;
  const found = isNamed ? [] : await findAgents(scope, surroundings);
  const meant = found.filter(({ isInstalled, file, state }) =>
    connection === undefined ? state === "connected" : isInstalled && file !== undefined,
  );
  const clients = isNamed ? connectTargetsNamed(positionals) : meant.map(({ agent }) => agent);
  if (clients.length === 0 && connection !== undefined) {
    terminal.logLine("skills-mcp: No known client is installed. Name one, or run skills-mcp connect --list.");
    return 1;
  }
  if (clients.length === 0) {
    if (given.json) printJson(terminal, { scope, dryRun: given["dry-run"], clients: [] });
    else terminal.print("No client is connected.\n");
    return 0;
  }
  const request = { scope, force, connection };
  const replan = (client: (typeof clients)[number]) => planStep(client, request, surroundings);
  const steps = await Promise.all(clients.map(replan));
  const verb = connection === undefined ? "disconnect" : "connect";
  const { decision, applied } = await applyPlan(
    { steps, replan, purpose: verb, isNamed, copy },
    given,
    terminal,
  );
  const isSettled = decision === "apply" || decision === "none";
  const isAsked = isSettled && !given["dry-run"] && applied.some(({ step }) => step.action !== "refuse");
  const check = async () =>
    isAsked && connection !== undefined ? checkConnection(connection, surroundings.home) : undefined;
  if (given.json) {
    const clients = applied.map((one) => stepJson(one, "connected"));
    const checked = await check();
    const answer = checked === undefined ? {} : { check: checked };
    printJson(terminal, { scope, dryRun: !isSettled, clients, ...answer });
  } else {
    if (decision === "apply") {
      const failed = applied.filter((_, index) => steps[index]?.action !== "refuse").map(({ step }) => step);
      const done = (titles: string) =>
        `${connection === undefined ? "Disconnected" : "Connected"} ${titles}.`;
      const outcome = { applied, failed, done, hasNext: connection !== undefined };
      terminal.print(renderOutcome(outcome, surroundings.home, terminal.style));
    }
    const side = connection === undefined || scope === "project" ? undefined : platform.programs.otherSide();
    if (side !== undefined) terminal.logLine(`skills-mcp: ${side}`);
    // Called last: a server may take seconds to answer.
    const checked = await check();
    if (checked !== undefined) terminal.print(renderCheck(checked, terminal.style));
  }
  if (decision === "unasked")
    throw badUsage(
      "--yes",
      `Nothing was changed. Name the clients to ${verb}, or add --yes for all of them.`,
    );
  return applied.some(({ step }) => step.action === "refuse") ? 1 : 0;
}
