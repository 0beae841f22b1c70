import { stat } from "node:fs/promises";
import { Refusal } from "#util/pure";
import { CLIENTS } from "../clients.ts";
import { type Applied, applyStep } from "../connect/apply.ts";
import { readConfigFile, reasonOf } from "../connect/config-file.ts";
import { readConnections } from "../connect/connections.ts";
import { planEntry, planRemoval, type StepFor } from "../connect/plan-change.ts";
import { configFile, isInstalled, type Surroundings } from "../connect/surroundings.ts";
import { readEntry } from "../documents/document.ts";
import { commandsIn, HOOK_HOSTS, type HookHost, hookPlace } from "./hosts.ts";

export type HookStep = StepFor<HookHost>;

interface HookRequest {
  readonly scope: "user" | "project";
  /** What the hook runs; undefined removes it. */
  readonly commandFor: ((host: HookHost) => string) | undefined;
}

/** Whether an agent is installed, and has the hook. */
export interface FoundHook {
  readonly host: HookHost;
  readonly file: string;
  readonly isInstalled: boolean;
  readonly state: "installed" | "not installed" | "broken" | "unreadable";
  /** What the hook runs. */
  readonly command?: string;
  /** Why it is broken or unreadable. */
  readonly reason?: string;
}

const RECORDS = "hooks.json";

/** The agents that people name: by id, by what `connect` calls them, or by the start of one id alone. */
export function hookHostsNamed(names: readonly string[]): readonly HookHost[] {
  return [...new Set(names.map(hostNamed))];
}

function hostNamed(name: string): HookHost {
  const wanted = name.toLowerCase();
  const program = CLIENTS.find(({ programs }) => programs.includes(wanted))?.id;
  const exact = HOOK_HOSTS.find(({ id }) => id === wanted || id === program);
  const [first, second] = HOOK_HOSTS.filter(({ id }) => id.startsWith(wanted));
  const host = exact ?? (second === undefined ? first : undefined);
  if (host !== undefined) return host;
  const isClient = CLIENTS.some(({ id }) => id === wanted);
  const why = isClient
    ? `'${name}' has no hook that can tell its model something`
    : `Unknown client '${name}'`;
  throw new Refusal(`${why}. hook supports ${HOOK_HOSTS.map(({ id }) => id).join(", ")}.`, {
    code: "bad-usage",
  });
}

/** Every agent that has hooks. */
export function findHooks(
  scope: "user" | "project",
  surroundings: Surroundings,
): Promise<readonly FoundHook[]> {
  return Promise.all(
    HOOK_HOSTS.map(async (host): Promise<FoundHook> => {
      const client = CLIENTS.find(({ id }) => id === host.id);
      const found = {
        host,
        file: (await configFile(host, scope, surroundings)) ?? "",
        isInstalled: client !== undefined && (await isInstalled(client, surroundings)),
      };
      try {
        const { text = "" } = await readConfigFile(found.file);
        const entry = readEntry(text, "json", hookPlace(host));
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

/** A newer Node or another way to install skills-mcp leaves hooks behind that start nothing. */
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
  host: HookHost,
  { scope, commandFor }: HookRequest,
  surroundings: Surroundings,
): Promise<HookStep> {
  const file = (await configFile(host, scope, surroundings)) ?? "";
  const step = { client: host, scope, file };
  try {
    const config = await readConfigFile(file);
    const records = await readConnections(surroundings.ownFolder, RECORDS);
    const known = records.find((record) => record.file === config.target);
    const place = hookPlace(host);
    const found = readEntry(config.text ?? "", "json", place);
    const { id, newFile } = host;
    const client = { id, format: "json", ...(newFile === undefined ? {} : { newFile }) } as const;
    const situation = { client, config, place, found, known };
    if (commandFor === undefined) return { ...step, ...planRemoval(situation) };
    return { ...step, ...(await planEntry({ ...situation, entry: host.entry(commandFor(host)) }, scope)) };
  } catch (error) {
    return { ...step, action: "refuse", reason: reasonOf(error) };
  }
}

export function applyHook(step: HookStep, surroundings: Surroundings): Promise<Applied<HookHost>> {
  return applyStep(step, surroundings, RECORDS);
}
