import type { ConnectTarget } from "#agents";
import {
  applyStep,
  type ConnectRequest,
  planStep,
  type StepFor,
  type Surroundings,
  surroundingsOf,
} from "#agents";
import { printJson, type Terminal } from "./command.ts";
import { badUsage, type Flags, flag } from "./flags.ts";
import { connectStepJson, renderOutcome, renderPlan } from "./render/connect-plan.ts";
import { count } from "./render/text.ts";
import { JSON_FLAG, userFolder } from "./shared-flags.ts";

/** The flags that `connect` and `disconnect` share. */
export const CONNECT_FLAGS = {
  scope: flag.choice(["user", "project"], "the user's configuration (default) or that of this project"),
  "dry-run": flag.switch("show the changes without making them"),
  yes: flag.switch("do not ask"),
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
  ...JSON_FLAG,
} satisfies Flags;

interface ConnectFlags {
  readonly "dry-run": boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly "user-dir": string | undefined;
}

export function surroundingsFor(given: Pick<ConnectFlags, "user-dir">): Surroundings {
  return surroundingsOf(given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]));
}

/** Plans the change of each client's configuration, shows it, asks if nobody said which clients, and applies it. */
export async function changeClients(
  clients: readonly ConnectTarget[],
  request: ConnectRequest,
  given: ConnectFlags & { readonly isNamed: boolean },
  terminal: Terminal,
): Promise<number> {
  const surroundings = surroundingsFor(given);
  const { home } = surroundings;
  const steps = await Promise.all(clients.map((client) => planStep(client, request, surroundings)));
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
  given: ConnectFlags & { readonly isNamed: boolean },
  { ask }: Terminal,
): Promise<"apply" | "dry-run" | "decline" | "unasked"> {
  if (given["dry-run"]) return "dry-run";
  if (given.isNamed || given.yes) return "apply";
  // With `--json` nothing is asked: a question would not be JSON.
  if (ask === undefined || given.json) return "unasked";
  const answer = await ask(`\nChange ${count(changes, "file")} to ${verb}? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim()) ? "apply" : "decline";
}

/** Applies the steps one after the other, because each adds to the same record. */
async function applyAll(steps: readonly StepFor<ConnectTarget>[], surroundings: Surroundings) {
  const applied = [];
  for (const step of steps) applied.push(await applyStep(step, surroundings));
  return applied;
}
