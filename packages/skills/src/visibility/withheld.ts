import type { ClientInfo } from "#agents";
import { agentTitle, isAgent } from "#agents";
import { nameKey } from "#util/pure";
import { disabledFile, readDisabledSets } from "../toggle/disabled-sets.ts";
import type { Withheld } from "./withheld-skills.ts";

/** Says which skills are disabled for a client; undefined when none is. */
export type WithheldFor = (client: ClientInfo | undefined) => Withheld | undefined;

/** As the file is now. Undefined when nothing is disabled for anyone, which is so for most people. */
export function readWithheld(ownFolder: string): WithheldFor | undefined {
  const { sets } = readDisabledSets(disabledFile(ownFolder));
  const agents = Object.entries(sets.agents).filter(([, names]) => names.length > 0);
  if (agents.length === 0) return undefined;
  return (client) => {
    const own = client === undefined ? [] : agents.filter(([agent]) => isAgent(client, agent));
    if (own.length === 0) return undefined;
    const withheld = own.map(([agent, names]) => {
      const keys = new Set(names.map(nameKey));
      return { names: keys, forWhom: `for ${agentTitle(agent)}`, flag: `--agent ${agent}` };
    });
    const key = JSON.stringify(withheld.map(({ names, flag }) => [flag, ...names]));
    return { key, sets: withheld };
  };
}
