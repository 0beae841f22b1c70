import { disabledFile, readDisabledSets } from "../../app/skills/disabled-sets.ts";
import type { Withheld } from "../../app/skills/withheld-skills.ts";
import { nameKey } from "../../skill/names.ts";
import { Refusal } from "../../skill/refusal.ts";
import { agentTitle, isAgent } from "./agents.ts";
import type { Client } from "./profiles.ts";

/** Says which skills are disabled for a client; undefined when none is. */
export type WithheldFor = (client: Client | undefined) => Withheld | undefined;

/** As the file is now. Undefined when nothing is disabled for anyone, which is so for most people. */
export function readWithheld(ownFolder: string, profile: string | undefined): WithheldFor | undefined {
  const { sets } = readDisabledSets(disabledFile(ownFolder));
  const ofProfile = profile !== undefined && Object.hasOwn(sets.profiles, profile);
  const inProfile = ofProfile ? (sets.profiles[profile] ?? []) : [];
  const agents = Object.entries(sets.agents).filter(([, names]) => names.length > 0);
  if (inProfile.length === 0 && agents.length === 0) return undefined;
  return (client) => {
    const own = client === undefined ? [] : agents.filter(([agent]) => isAgent(client, agent));
    if (own.length === 0 && inProfile.length === 0) return undefined;
    const keysOf = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(nameKey));
    const forAgents = own.map(([agent, names]) => {
      return { names: keysOf(names), forWhom: `for ${agentTitle(agent)}`, flag: `--agent ${agent}` };
    });
    const forProfile = {
      names: keysOf(inProfile),
      forWhom: `in the profile '${profile ?? ""}'`,
      flag: `--profile ${profile ?? ""}`,
    };
    const withheld = [...forAgents, ...(inProfile.length === 0 ? [] : [forProfile])];
    const key = JSON.stringify(withheld.map(({ names, flag }) => [flag, ...names]));
    return { key, sets: withheld };
  };
}

/** A server must not serve everything because a profile's name is misspelled. */
export function refuseUnknownProfile(ownFolder: string, profile: string): void {
  const { sets, problem } = readDisabledSets(disabledFile(ownFolder));
  if (problem !== undefined) throw new Refusal(problem, { code: "bad-usage", flag: "--profile" });
  if (Object.hasOwn(sets.profiles, profile)) return;
  const known = Object.keys(sets.profiles);
  const way = known.length === 0 ? "There are no profiles." : `The profiles are ${known.join(", ")}.`;
  throw new Refusal(
    `There is no profile '${profile}'. ${way} skills-mcp disable <name> --profile ${profile} creates it.`,
    { code: "bad-usage", flag: "--profile" },
  );
}
