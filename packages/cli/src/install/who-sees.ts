import { ALL_AGENTS, findAgents, readingTraits, requireAgent } from "#agents";
import type { InstallResult } from "#install";

/** The folder that skills are installed to, below a project or the home folder. */
const INSTALLED_TO = ".agents/skills";

/** Which agents see the skills that were installed, by their titles. */
export interface SeenBy {
  /** They read the folder from disk, or have a link or a copy in their own. */
  readonly fromDisk: readonly string[];
  /** This server is in their configuration. */
  readonly throughServer: readonly string[];
  /** They see them once they are connected. */
  readonly notYet: readonly { readonly id: string; readonly title: string }[];
}

/** The agents on this machine and those of `--agent`, by what is known of them. */
export async function whoSees(
  scope: InstallResult["scope"],
  linked: readonly string[],
  surroundings: Parameters<typeof findAgents>[1],
): Promise<SeenBy> {
  const found = [
    ...(await findAgents("user", surroundings)),
    ...(scope === "project" ? await findAgents("project", surroundings) : []),
  ];
  const idsOf = (some: typeof found): ReadonlySet<string> => new Set(some.map(({ agent }) => agent.id));
  const installed = idsOf(found.filter(({ isInstalled }) => isInstalled));
  const connected = idsOf(found.filter(({ state }) => state === "connected"));
  const named = new Set(linked.map((agent) => requireAgent(agent).id));
  const here = ALL_AGENTS.filter(({ id }) => installed.has(id) || connected.has(id) || named.has(id));
  const reads = (agent: (typeof here)[number]): boolean =>
    readingTraits(agent).reads[scope].includes(INSTALLED_TO) ||
    (named.has(agent.id) && (agent.folders?.[scope] ?? []).length > 0);
  const others = here.filter((agent) => !reads(agent));
  return {
    fromDisk: here.filter(reads).map(({ title }) => title),
    throughServer: others.filter(({ id }) => connected.has(id)).map(({ title }) => title),
    notYet: others
      .filter(({ id, connect }) => connect !== undefined && !connected.has(id))
      .map(({ id, title }) => ({ id, title })),
  };
}
