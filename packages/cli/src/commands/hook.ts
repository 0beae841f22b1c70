import path from "node:path";
import {
  findAgents,
  findHooks,
  HOOK_TARGETS,
  hookTargetsNamed,
  ownProgram,
  planHook,
  type StepFor,
  traitsOf,
} from "#agents";
import { homeOf, writeHints } from "#search";
import { modelEntries, nativeSkills, readDisabledByClient, type Snapshot, withoutDisabled } from "#skills";
import { type Log, ownFolderIn } from "#util";
import { applyPlan, CHANGE_FLAGS, surroundingsFor } from "../change-agents.ts";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { badUsage, didYouMean, type Flags, type FlagValues } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { sharedFolders } from "../plan-server.ts";
import { agentsJson, renderAgents, renderOutcome, stepJson } from "../render/connect-plan.ts";
import { printable } from "../render/text.ts";
import { userFolder, VIEW_FLAGS, type ViewFlags } from "../shared-flags.ts";

type HookedAgent = ReturnType<typeof hookTargetsNamed>[number];

const { "user-dir": _, ...OWN_FLAGS } = CHANGE_FLAGS;
/** What decides which skills a hook suggests, VIEW_FLAGS, is repeated in the command of the hook. */
const FLAGS = { ...OWN_FLAGS, ...VIEW_FLAGS } satisfies Flags;

type HookFlags = FlagValues<typeof FLAGS>;

interface HookInvocation {
  readonly given: HookFlags;
  readonly named: ReadonlySet<string>;
  readonly clients: readonly string[];
  readonly terminal: Terminal;
  readonly log: Log;
}

/** `skills-mcp hook`: agents run `hook run` before each prompt, which suggests the skill that fits (start/hook.ts). */
export const command = defineCommand({
  name: "hook",
  usage: "install|remove|status [agent]…",
  summary: "suggest a matching skill to the agent before each prompt is sent",
  order: 250,
  bundle: "manage",
  examples: ["hook install claude-code", "hook status"],
  flags: FLAGS,
  takes: "any",
  completes: ["install", "remove", "status", ...HOOK_TARGETS.map(({ id }) => id)],
  async run({ positionals: [verb = "", ...clients], ...rest }) {
    const invocation = { ...rest, clients };
    if (verb === "install") return install(invocation);
    if (verb === "remove") return remove(invocation);
    if (verb === "status") return status(invocation);
    if (verb === "refresh") return refresh(invocation);
    if (verb === "run")
      throw badUsage("<client>", "hook run takes the id of an agent: skills-mcp hook run claude-code.");
    const got = verb === "" ? "" : `, not '${verb}'`;
    const meant = didYouMean(verb, ["install", "remove", "status"]);
    throw badUsage("<verb>", `hook takes install, remove or status${got}: skills-mcp hook install.${meant}`);
  },
});

async function status({ given, terminal }: HookInvocation): Promise<number> {
  const surroundings = surroundingsFor(given);
  const found = await findHooks(given.scope ?? "user", surroundings);
  const reasons = found.flatMap(({ agent, reason }) =>
    reason === undefined ? [] : [`${terminal.style.red(`${agent.title}: ${printable(reason)}`)}\n`],
  );
  if (given.json) printJson(terminal, { hooks: agentsJson(found) });
  else {
    const list = { titles: ["AGENT", "HOOK"], none: "not installed", home: surroundings.home } as const;
    terminal.print(renderAgents(found, list, terminal) + reasons.join(""));
  }
  return found.some(({ state }) => state === "broken") ? 1 : 0;
}

async function install(invocation: HookInvocation): Promise<number> {
  const { given, named, clients, terminal, log } = invocation;
  const surroundings = surroundingsFor(given);
  const { scope = "user" } = given;
  const { program, copy } = ownProgram().kept(surroundings.ownFolder);
  const flags = writtenFlags(given, named);
  const found = clients.length > 0 ? [] : await findHooks(scope, surroundings);
  const installed = found.filter(({ isInstalled }) => isInstalled).map(({ agent }) => agent);
  const agents = clients.length > 0 ? hookTargetsNamed(clients) : installed;
  if (agents.length === 0) {
    terminal.logLine(
      "skills-mcp: No agent with hooks is installed. Name one, or run skills-mcp hook status.",
    );
    return 1;
  }
  const request = { scope, run: { program, flags } };
  const replan = (agent: HookedAgent) => planHook(agent, request, surroundings);
  const steps = await Promise.all(agents.map(replan));
  return change({ verb: "install", steps, replan, copy }, invocation, async (done) => {
    // The hints are written now, so that the first prompt can get a suggestion.
    await withSkillView(given, log, async ({ search }, snapshot) => {
      for (const { id } of done) await writeHintsFor(search, snapshot, id, { given, flags });
    });
    const connected = [
      ...(await findAgents("user", surroundings)),
      ...(await findAgents("project", surroundings)),
    ].filter(({ state }) => state === "connected");
    return done.filter(({ id }) => !connected.some(({ agent }) => agent.id === id));
  });
}

async function remove(invocation: HookInvocation): Promise<number> {
  const { given, clients, terminal } = invocation;
  const surroundings = surroundingsFor(given);
  const { scope = "user" } = given;
  const found = await findHooks(scope, surroundings);
  const agents =
    clients.length > 0
      ? hookTargetsNamed(clients)
      : found.filter(({ state }) => state === "installed" || state === "broken").map(({ agent }) => agent);
  if (agents.length === 0) {
    if (given.json) printJson(terminal, { scope, dryRun: given["dry-run"], hooks: [] });
    else terminal.print("No agent has the hook.\n");
    return 0;
  }
  const request = { scope, run: undefined };
  const replan = (agent: HookedAgent) => planHook(agent, request, surroundings);
  const steps = await Promise.all(agents.map(replan));
  return change({ verb: "remove", steps, replan }, invocation, async () => []);
}

const WORDS = { done: "The hook is installed already.", absent: "The hook is not installed." };

interface HookChange extends Pick<Parameters<typeof applyPlan>[0], "copy"> {
  readonly verb: "install" | "remove";
  readonly steps: readonly StepFor<HookedAgent>[];
  readonly replan: (agent: HookedAgent) => Promise<StepFor<HookedAgent>>;
}

/** Applies a plan and shows what was done. `then` returns the agents that lack the server. */
async function change(
  { verb, steps, replan, copy }: HookChange,
  { given, clients, terminal }: HookInvocation,
  then: (done: readonly HookedAgent[]) => Promise<readonly HookedAgent[]>,
): Promise<number> {
  const isInstall = verb === "install";
  const { decision, applied } = await applyPlan(
    {
      ...{ steps, replan, copy },
      purpose: `${verb} the hook`,
      isNamed: clients.length > 0,
      words: WORDS,
      repeated: ({ agent, scope, file }) => ({ agent, scope, file, action: "none", isConnected: isInstall }),
    },
    given,
    terminal,
  );
  if (decision === "unasked") {
    const message = `Nothing was changed. Name the agents to ${verb} the hook for, or add --yes for all.`;
    throw badUsage("--yes", message);
  }
  const hooked = applied.map(({ step }) => step).filter((step) => step.action !== "refuse");
  const done = hooked.filter((step) => step.action !== "none" || step.isConnected).map(({ agent }) => agent);
  const isSettled = decision === "apply" || decision === "none";
  const unconnected = given["dry-run"] ? [] : await then(isSettled ? done : []);
  if (given.json) {
    const hooks = applied.map((one) => stepJson(one, "hooked"));
    printJson(terminal, { scope: given.scope ?? "user", dryRun: !isSettled, hooks });
  } else if (decision === "apply") {
    const outcome = {
      applied,
      failed: applied.map(({ step }) => step),
      done: (titles: string) => `${isInstall ? "Installed" : "Removed"} the hook: ${titles}.`,
      hasNext: isInstall,
      first: unconnected.map(({ id, title }) => `${title} has no server yet: skills-mcp connect ${id}`),
    };
    terminal.print(renderOutcome(outcome, surroundingsFor(given).home, terminal.style));
  }
  return applied.some(({ step }) => step.action === "refuse") ? 1 : 0;
}

/** `hook refresh`, internal: writes the hints again. `hook run` starts it when they are old. */
async function refresh({ given, named, clients, log }: HookInvocation): Promise<number> {
  const flags = writtenFlags(given, named);
  const agents = hookTargetsNamed(clients);
  await withSkillView(given, log, async ({ search }, snapshot) => {
    for (const { id } of agents) await writeHintsFor(search, snapshot, id, { given, flags });
  });
  return 0;
}

/** The flags of the command line that the hook repeats, in one order; folders as every working directory reads them. */
function writtenFlags(given: HookFlags, named: ReadonlySet<string>): readonly string[] {
  return Object.entries(VIEW_FLAGS).flatMap(([name, { kind, ...rest }]) => {
    const value: unknown = given[name as keyof typeof VIEW_FLAGS];
    if (!named.has(name)) return [];
    if (kind === "switch") return [`--${name}`];
    const isPath = "value" in rest && /^<(?:dir|file)>$/.test(rest.value);
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return texts.flatMap((text) => [`--${name}`, isPath ? path.resolve(userFolder(text)) : text]);
  });
}

/**
 * Writes what the hook of a client needs in this folder. A hook may suggest every skill but those that authors or rules keep
 * from models and those disabled for the client.
 */
async function writeHintsFor(
  search: Parameters<typeof writeHints>[0],
  snapshot: Snapshot,
  client: string,
  { given, flags }: { readonly given: ViewFlags; readonly flags: readonly string[] },
): Promise<void> {
  const home = homeOf(flags);
  const disabled = readDisabledByClient(ownFolderIn(home), given.visibility)?.({ name: client });
  const shared = sharedFolders(false, {}, given["user-dir"]);
  const isNative = nativeSkills(snapshot, traitsOf({ name: client }), shared);
  const entries = modelEntries(withoutDisabled(snapshot, disabled).catalog);
  const skills = entries.map((entry) => ({ entry, isNative: isNative(entry) }));
  await writeHints(search, snapshot, skills, { client, flags, home, cwd: process.cwd() });
}
