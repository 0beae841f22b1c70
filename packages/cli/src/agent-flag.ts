import { ALL_AGENTS, agentCalled, findAgents } from "#agents";
import { badUsage, type Flags, flag } from "./flags.ts";

const EVERY = "*";

/** `--agent`: several may follow one flag. */
export function agentFlag(help: string) {
  const takesMore = (word: string): boolean => word === EVERY || agentCalled(word) !== undefined;
  const value = `${help}, such as claude-code; '*' for all that are installed`;
  return { agent: flag.list("<agents>", value, { short: "a", takesMore }) } satisfies Flags;
}

/** The agents that `--agent` names, also with commas between them. */
export async function agentsNamed(
  lists: readonly string[],
  surroundings: Parameters<typeof findAgents>[1],
): Promise<readonly string[]> {
  const names = lists.flatMap((list) => list.split(",")).filter((name) => name.trim() !== "");
  if (!names.includes(EVERY)) return names;
  const found = (await findAgents("user", surroundings)).filter(({ isInstalled }) => isInstalled);
  const installed = found.filter(({ agent }) => ALL_AGENTS.find(({ id }) => id === agent.id)?.folders);
  if (installed.length === 0)
    throw badUsage("--agent", "--agent '*' means the agents on this machine, and none was found. Name one.");
  return installed.map(({ agent }) => agent.id);
}
