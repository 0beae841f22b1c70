import { stat } from "node:fs/promises";
import path from "node:path";
import { targetsNamed } from "../connect/connect-targets.ts";
import type { Program } from "../connect/own-program.ts";
import {
  type Found,
  findTargets,
  planChange,
  planEntry,
  planRemoval,
  type StepFor,
} from "../connect/plan-change.ts";
import { hasProgram, type Surroundings } from "../connect/surroundings.ts";
import { readEntry } from "../documents/document.ts";
import { commandsIn, HOOK_TARGETS, hookCommand, hookPlace } from "./hook-entry.ts";
import type { HookTarget } from "./hook-form.ts";

interface HookRequest {
  readonly scope: "user" | "project";
  /** What the hook runs: this program, with these flags. Undefined removes the hook. */
  readonly run: { readonly program: Program; readonly flags: readonly string[] } | undefined;
}

type FoundHook = Found<HookTarget, "installed" | "not installed" | "broken">;

export function hookTargetsNamed(names: readonly string[]): readonly HookTarget[] {
  return targetsNamed(names, HOOK_TARGETS, ({ title }) => {
    const ids = HOOK_TARGETS.map(({ id }) => id).join(", ");
    return `${title} has no hook that can tell its model something. These have one: ${ids}.`;
  });
}

/** Every agent that has hooks. */
export function findHooks(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly FoundHook[]> {
  return findTargets(HOOK_TARGETS, [scope, surroundings], async (agent, config) => {
    const entry = readEntry(config?.text ?? "", "json", hookPlace(agent));
    const command = entry === undefined ? undefined : commandsIn(entry)[0];
    if (command === undefined) return { state: "not installed" } as const;
    const reason = await whyBroken(command);
    return reason === undefined
      ? ({ state: "installed", command } as const)
      : ({ state: "broken", command, reason } as const);
  });
}

/** Why a hook starts nothing: an update of Node or another way to install skills-mcp moves the programs that it names. */
async function whyBroken(command: string): Promise<string | undefined> {
  const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
  for (const file of words.slice(0, words.indexOf("hook")).filter(path.isAbsolute)) {
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) return `'${file}' no longer exists: run skills-mcp hook install again.`;
  }
  return undefined;
}

/** Plans to add, change or remove our hook in the configuration of one agent. */
export async function planHook(
  agent: HookTarget,
  { scope, run }: HookRequest,
  surroundings: Surroundings,
): Promise<StepFor<HookTarget>> {
  const isNodeInPath = surroundings.platform === "win32" && (await hasProgram(["node"], surroundings));
  const wanted = { agent, scope, format: "json", place: hookPlace(agent), recordIn: "hooks.json" } as const;
  return planChange(wanted, surroundings, (situation) =>
    run === undefined
      ? planRemoval(situation)
      : planEntry(situation, agent.entry(hookCommand(agent, run.program, run.flags, isNodeInPath))),
  );
}
