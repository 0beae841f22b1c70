import path from "node:path";
import { parseSourceAddress, type SourceAddress } from "#sources";
import { expandHome } from "#util";
import { nameKey, Refusal, suggestNames } from "#util/pure";
import { type InstallResult, runSession, type SessionOptions } from "./install-session.ts";
import { cannotInstall } from "./lock/lock-text.ts";
import type { FetchedSource, SourceSkill } from "./plan/found-skills.ts";
import { lockedSource } from "./plan/origin.ts";
import type { PlannedStep } from "./plan/plan.ts";
import { planSkill } from "./plan/plan-skill.ts";
import { agentFolder, type InstallPlaces, type Target, targetOf } from "./target.ts";

export interface AddOptions extends SessionOptions {
  readonly source: string;
  /** The skills that are wanted; none: the only one, or whatever `choose` says. */
  readonly names: readonly string[];
  readonly all: boolean;
  readonly scope: Target["scope"];
  readonly agents: readonly string[];
  readonly asCopies: boolean;
  readonly force: boolean;
  /** True: shows what the source contains, and installs nothing. */
  readonly list?: boolean;
  /** Asks a person which of several are wanted. Absent: nobody can be asked. */
  readonly choose?: (skills: readonly SourceSkill[]) => Promise<readonly SourceSkill[]>;
}

/** `--skill '*'` is all of them. */
const EVERY = "*";

/** A message names this many skills of a source. */
const MOST_NAMED = 20;

/** Installs skills of a source. */
export async function addSkills(options: AddOptions, places: InstallPlaces): Promise<InstallResult> {
  const address = absolute(parseSourceAddress(options.source), places);
  const target = await targetOf(options.scope, places);
  const agents: string[] = [];
  for (const agent of options.agents) {
    const folder = await agentFolder(agent, target, places);
    if (folder !== undefined && !agents.includes(folder)) agents.push(folder);
  }
  let available: InstallResult["available"];
  const result = await runSession(target, places, options, async ({ fetch, locked, planning }) => {
    const fetched = await fetch(address);
    const wanted = await chooseSkills(fetched, address, options);
    if (wanted === "list") {
      available = fetched.skills.map(({ name, description, path: below }) => {
        return { name, description, path: below };
      });
      return [];
    }
    const steps: PlannedStep[] = [];
    for (const skill of wanted) {
      const { folder: sourceFolder, commit, version } = fetched.tree;
      const source = lockedSource(address, target.lock.format, target.base);
      const known = locked.find(({ name }) => nameKey(name) === nameKey(skill.name));
      const step = await planSkill(
        { skill, source, sourceFolder, commit, version },
        {
          ...planning,
          locked: known,
          agents,
          asCopies: options.asCopies,
          prefer: options.force ? "theirs" : "neither",
        },
      );
      steps.push(step);
    }
    return steps;
  });
  return available === undefined ? result : { ...result, available };
}

/** Folders and files are named from the working directory; a lock may lie elsewhere. */
function absolute(address: SourceAddress, { cwd, home }: InstallPlaces): SourceAddress {
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  if (address.kind === "folder") return { ...address, folder: resolve(address.folder) };
  if ((address.kind === "archive" || address.kind === "marketplace") && !address.isRemote)
    return { ...address, place: resolve(address.place) };
  return address;
}

/** The skills that are wanted; "list" to show what there is instead. */
async function chooseSkills(
  { skills, problems }: FetchedSource,
  address: SourceAddress,
  { source, names, all, list = false, dryRun, choose }: AddOptions,
): Promise<readonly SourceSkill[] | "list"> {
  const why = problems.length === 0 ? "" : ` ${problems.slice(0, 3).join(" ")}`;
  if (skills.length === 0) throw cannotInstall(`'${source}' contains no skill.${why}`, "");
  const typed = address.kind === "git" && address.skill !== undefined ? [address.skill, ...names] : names;
  if (list) return "list";
  if (typed.includes(EVERY)) return skills;
  const own = skills.map(({ name }) => name);
  const shown = own.slice(0, MOST_NAMED).join(", ");
  const rest = own.length - MOST_NAMED;
  const available =
    rest > 0 ? `${shown} and ${rest} more (skills-mcp add ${source} --list shows all)` : shown;
  if (typed.length > 0) {
    const missing = typed.find((name) => !skills.some((skill) => nameKey(skill.name) === nameKey(name)));
    if (missing !== undefined) {
      const [meant] = suggestNames(missing, own, 1);
      const way = meant === undefined ? `It contains: ${available}.` : `Did you mean '${meant}'?`;
      throw cannotInstall(`'${source}' contains no skill '${missing}'. ${way}${why}`, "");
    }
    return skills.filter(({ name }) => typed.some((wanted) => nameKey(wanted) === nameKey(name)));
  }
  if (all || skills.length === 1) return skills;
  const chosen = await choose?.(skills);
  if (chosen !== undefined) return chosen;
  if (dryRun) return "list";
  throw new Refusal(
    `'${source}' contains ${skills.length} skills: ${available}. Name those that you want after the source, or pass --all.`,
    { code: "bad-usage", flag: "--all" },
  );
}
