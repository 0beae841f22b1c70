import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Applied, StepFor } from "#agents";
import {
  applyStep,
  findAgents,
  findHooks,
  type HookTarget,
  hookTargetsNamed,
  planHook,
  type Surroundings,
  surroundingsOf,
} from "#agents";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { badUsage, type Flags, type FlagValues, flag } from "../flags.ts";
import { writeHintsFor } from "../hook-hints.ts";
import { withSkillView } from "../open-view.ts";
import { renderPlan } from "../render/connect-plan.ts";
import { hookJson, hookStepJson, renderHookOutcome, renderHooks } from "../render/manage/hooks.ts";
import { count } from "../render/text.ts";
import { JSON_FLAG, userFolder, VIEW_FLAGS } from "../shared-flags.ts";

/** What decides which skills a hook suggests; the command of the hook repeats it. */
const HOOK_FLAGS = VIEW_FLAGS satisfies Flags;

const FLAGS = {
  scope: flag.choice(["user", "project"], "the user's configuration (default) or that of this project"),
  "dry-run": flag.switch("show the changes without making them"),
  yes: flag.switch("do not ask"),
  ...JSON_FLAG,
  ...HOOK_FLAGS,
} satisfies Flags;

type Given = FlagValues<typeof FLAGS>;

interface Invocation {
  readonly given: Given;
  readonly named: ReadonlySet<string>;
  readonly clients: readonly string[];
  readonly terminal: Terminal;
  readonly log: Log;
}

/** `skills-mcp hook`: agents run `hook run` before each prompt, which suggests the skill that fits (start/hook.ts). */
export const command = defineCommand({
  name: "hook",
  flags: FLAGS,
  takes: "any",
  async run({ positionals: [verb = "", ...clients], ...rest }) {
    const invocation = { ...rest, clients };
    if (verb === "install") return install(invocation);
    if (verb === "remove") return remove(invocation);
    if (verb === "status") return status(invocation);
    if (verb === "refresh") return refresh(invocation);
    if (verb === "run")
      throw badUsage("<client>", "hook run takes the id of an agent: skills-mcp hook run claude-code.");
    const got = verb === "" ? "" : `, not '${verb}'`;
    throw badUsage("<verb>", `hook takes install, remove or status${got}: skills-mcp hook install.`);
  },
});

function surroundingsFor({ "user-dir": userDir }: Pick<Given, "user-dir">): Surroundings {
  return surroundingsOf(userDir === undefined ? undefined : userFolder(userDir));
}

async function status({ given, terminal }: Invocation): Promise<number> {
  const surroundings = surroundingsFor(given);
  const found = await findHooks(given.scope ?? "user", surroundings);
  if (given.json) printJson(terminal, hookJson(found));
  else terminal.print(renderHooks(found, surroundings.home, terminal.width, terminal.style));
  return found.some(({ state }) => state === "broken") ? 1 : 0;
}

async function install(invocation: Invocation): Promise<number> {
  const { given, named, clients, terminal, log } = invocation;
  const surroundings = surroundingsFor(given);
  const { scope = "user" } = given;
  const program = ownProgram();
  const flags = writtenFlags(given, named);
  const agents = clients.length > 0 ? hookTargetsNamed(clients) : await installedTargets(scope, surroundings);
  if (agents.length === 0) {
    terminal.logLine(
      "skills-mcp: No agent with hooks is installed. Name one, or run skills-mcp hook status.",
    );
    return 1;
  }
  const request = { scope, run: { program, flags } };
  const steps = await Promise.all(agents.map((agent) => planHook(agent, request, surroundings)));
  return change("install", steps, invocation, async (done) => {
    // The first prompt must not find nothing.
    await withSkillView(given, log, async (app, snapshot) => {
      for (const { id } of done) await writeHintsFor(app, snapshot, id, { given, flags });
    });
    const found = await findAgents("user", surroundings);
    const inProject = await findAgents("project", surroundings);
    const isConnected = (id: string): boolean =>
      [...found, ...inProject].some(({ agent, state }) => agent.id === id && state === "connected");
    return done.filter(({ id }) => !isConnected(id));
  });
}

async function installedTargets(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly HookTarget[]> {
  const found = await findHooks(scope, surroundings);
  return found.filter(({ isInstalled }) => isInstalled).map(({ agent }) => agent);
}

async function remove(invocation: Invocation): Promise<number> {
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
  const steps = await Promise.all(agents.map((agent) => planHook(agent, request, surroundings)));
  return change("remove", steps, invocation, async () => []);
}

const WORDS = { done: "The hook is installed already.", absent: "The hook is not installed." };

/** Plan, show, ask, apply. `then` returns the agents that lack the server. */
async function change(
  verb: "install" | "remove",
  steps: readonly StepFor<HookTarget>[],
  { given, clients, terminal }: Invocation,
  then: (done: readonly HookTarget[]) => Promise<readonly HookTarget[]>,
): Promise<number> {
  const surroundings = surroundingsFor(given);
  const { home } = surroundings;
  const changes = steps.filter(({ action }) => action !== "none" && action !== "refuse").length;
  if (!given.json) terminal.print(renderPlan(steps, home, terminal.width, terminal.style, WORDS));
  const isAsked = clients.length === 0 && !given.yes && !given["dry-run"] && changes > 0;
  const isDeclined = isAsked && !(await agrees(verb, changes, given, terminal));
  const isApplied = changes > 0 && !given["dry-run"] && !isDeclined;
  const applied = isApplied ? await applyAll(verb, steps, surroundings) : steps.map((step) => ({ step }));
  const isDone = ({ step }: Applied<HookTarget>): boolean =>
    step.action !== "refuse" && (step.action !== "none" || step.isConnected);
  const done = isApplied || changes === 0 ? applied.filter(isDone).map(({ step }) => step.agent) : [];
  const unconnected = given["dry-run"] ? [] : await then(done);
  if (given.json) {
    const dryRun = !isApplied && changes > 0;
    printJson(terminal, { scope: given.scope ?? "user", dryRun, hooks: applied.map(hookStepJson) });
  } else if (isApplied) {
    terminal.print(renderHookOutcome({ verb, applied, unconnected }, home, terminal.style));
  } else if (changes > 0) {
    terminal.print(`\nNothing was changed${given["dry-run"] ? " (--dry-run)" : ""}.\n`);
  }
  return applied.some(({ step }) => step.action === "refuse") ? 1 : 0;
}

/** One after the other: each adds to the same record, and two agents may share a file. */
async function applyAll(
  verb: "install" | "remove",
  steps: readonly StepFor<HookTarget>[],
  surroundings: Surroundings,
) {
  const applied: Applied<HookTarget>[] = [];
  for (const step of steps) {
    const { agent, scope, file } = step;
    const isRepeated = applied.some((one) => one.step.file === file && one.step.action !== "refuse");
    const repeated = { agent, scope, file, action: "none", isConnected: verb === "install" } as const;
    applied.push(isRepeated ? { step: repeated } : await applyStep(step, surroundings));
  }
  return applied;
}

async function agrees(verb: string, changes: number, given: Given, { ask }: Terminal): Promise<boolean> {
  // A question would not be JSON.
  if (ask === undefined || given.json) {
    throw badUsage(
      "--yes",
      `Nothing was changed. Name the agents to ${verb} the hook for, or add --yes for all.`,
    );
  }
  const answer = await ask(`\nChange ${count(changes, "file")} to ${verb} the hook? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Internal: what `hook run` starts when its hints are old. */
async function refresh({ given, named, clients, log }: Invocation): Promise<number> {
  const flags = writtenFlags(given, named);
  const agents = hookTargetsNamed(clients);
  await withSkillView(given, log, async (app, snapshot) => {
    for (const { id } of agents) await writeHintsFor(app, snapshot, id, { given, flags });
  });
  return 0;
}

/** Where this program is. A copy that may be removed at any time cannot be started later. */
function ownProgram(): { readonly node: string; readonly script: string } {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "cli.js");
  if (/[\\/](?:_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/.test(script)) {
    throw new Refusal(
      "This copy of skills-mcp is temporary, and a hook runs before every prompt. Install it first: npm install --global skills-mcp, then run skills-mcp hook install.",
      { code: "cannot-connect" },
    );
  }
  return { node: process.execPath, script };
}

/** The flags of the command line that the hook repeats, in one order; folders as every working directory reads them. */
function writtenFlags(given: Given, named: ReadonlySet<string>): readonly string[] {
  return Object.entries(HOOK_FLAGS).flatMap(([name, { kind, ...rest }]) => {
    const value: unknown = given[name as keyof typeof HOOK_FLAGS];
    if (!named.has(name)) return [];
    if (kind === "switch") return [`--${name}`];
    const isPath = "value" in rest && /^<(?:dir|file)>$/.test(rest.value);
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return texts.flatMap((text) => [`--${name}`, isPath ? path.resolve(userFolder(text)) : text]);
  });
}
