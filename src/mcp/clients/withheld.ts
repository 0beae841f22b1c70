import { disabledFile, readDisabledSets } from "../../app/skills/disabled-sets.ts";
import type { Withheld } from "../../app/skills/withheld-skills.ts";
import { nameKey } from "../../skill/name-key.ts";
import { agentTitle, isAgent } from "./agents.ts";
import type { ClientInfo } from "./known-clients.ts";

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
