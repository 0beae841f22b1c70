import { stat } from "node:fs/promises";
import { Refusal } from "#util/pure";
import { readConfigFile, reasonOf } from "../connect/config-file.ts";
import { CONNECT_TARGETS } from "../connect/connect-targets.ts";
import { readConnections } from "../connect/connections.ts";
import { planEntry, planRemoval, type StepFor } from "../connect/plan-change.ts";
import { configFile, isInstalled, type Surroundings } from "../connect/surroundings.ts";
import { readEntry } from "../documents/document.ts";
import { commandsIn, HOOK_TARGETS, hookCommand, hookPlace, type Program } from "./hook-entry.ts";
import type { HookTarget } from "./hook-form.ts";

interface HookRequest {
  readonly scope: "user" | "project";
  /** What the hook runs: this program, with these flags. Undefined removes the hook. */
  readonly run: { readonly program: Program; readonly flags: readonly string[] } | undefined;
}

/** Whether an agent is installed, and has the hook. */
export interface FoundHook {
  readonly agent: HookTarget;
  readonly file: string;
  readonly isInstalled: boolean;
  readonly state: "installed" | "not installed" | "broken" | "unreadable";
  /** What the hook runs. */
  readonly command?: string;
  /** Why it is broken or unreadable. */
  readonly reason?: string;
}

const RECORDS = "hooks.json";

/** The agents that people name: by id, by program, or by the start of one id alone. */
export function hookTargetsNamed(names: readonly string[]): readonly HookTarget[] {
  return [...new Set(names.map(targetNamed))];
}

function targetNamed(name: string): HookTarget {
  const wanted = name.toLowerCase();
  const program = CONNECT_TARGETS.find(({ programs }) => programs.includes(wanted))?.id;
  const exact = HOOK_TARGETS.find(({ id }) => id === wanted || id === program);
  const [first, second] = HOOK_TARGETS.filter(({ id }) => id.startsWith(wanted));
  const target = exact ?? (second === undefined ? first : undefined);
  if (target !== undefined) return target;
  const isKnown = CONNECT_TARGETS.some(({ id }) => id === wanted);
  const why = isKnown
    ? `'${name}' has no hook that can tell its model something`
    : `Unknown client '${name}'`;
  throw new Refusal(`${why}. hook supports ${HOOK_TARGETS.map(({ id }) => id).join(", ")}.`, {
    code: "bad-usage",
  });
}

/** Every agent that has hooks. */
export function findHooks(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly FoundHook[]> {
  return Promise.all(
    HOOK_TARGETS.map(async (agent): Promise<FoundHook> => {
      const target = CONNECT_TARGETS.find(({ id }) => id === agent.id);
      const found = {
        agent,
        file: (await configFile(agent, scope, surroundings)) ?? "",
        isInstalled: target !== undefined && (await isInstalled(target, surroundings)),
      };
      try {
        const { text = "" } = await readConfigFile(found.file);
        const entry = readEntry(text, "json", hookPlace(agent));
        const command = entry === undefined ? undefined : commandsIn(entry)[0];
        if (command === undefined) return { ...found, state: "not installed" };
        const reason = await whyBroken(command);
        return reason === undefined
          ? { ...found, state: "installed", command }
          : { ...found, state: "broken", command, reason };
      } catch (error) {
        return { ...found, state: "unreadable", reason: reasonOf(error) };
      }
    }),
  );
}

/** Why a hook starts nothing: an update of Node or another way to install skills-mcp moves the programs that it names. */
async function whyBroken(command: string): Promise<string | undefined> {
  const programs = [...command.matchAll(/"([^"]+)"/g)].slice(0, 2).map(([, file = ""]) => file);
  for (const file of programs) {
    const isThere = await stat(file).then(
      () => true,
      () => false,
    );
    if (!isThere) return `'${file}' no longer exists: run skills-mcp hook install again.`;
  }
  return undefined;
}

/** Plans one agent. A file that cannot be changed is a step that says why: the others go on. */
export async function planHook(
  agent: HookTarget,
  { scope, run }: HookRequest,
  surroundings: Surroundings,
): Promise<StepFor<HookTarget>> {
  const file = (await configFile(agent, scope, surroundings)) ?? "";
  const step = { agent, scope, file };
  try {
    const config = await readConfigFile(file);
    const records = await readConnections(surroundings.ownFolder, RECORDS);
    const known = records.find((record) => record.file === config.target);
    const place = hookPlace(agent);
    const found = readEntry(config.text ?? "", "json", place);
    const situation = {
      agent: { ...agent, format: "json" },
      config,
      place,
      found,
      known,
      recordIn: RECORDS,
    } as const;
    if (run === undefined) return { ...step, ...planRemoval(situation) };
    return {
      ...step,
      ...(await planEntry(
        { ...situation, entry: agent.entry(hookCommand(agent, run.program, run.flags)) },
        scope,
      )),
    };
  } catch (error) {
    return { ...step, action: "refuse", reason: reasonOf(error) };
  }
}
