import path from "node:path";
import { parseSourceAddress, type SourceAddress } from "#sources";
import { expandHome, isInside } from "#util";
import { defined, nameKey, Refusal, suggestNames } from "#util/pure";
import { type InstallResult, runSession, type SessionOptions } from "./install-session.ts";
import { cannotInstall, type LockedSkill } from "./lock/lock-text.ts";
import { type FetchedSource, qualifiedName, type SourceSkill } from "./plan/found-skills.ts";
import { skillIn } from "./plan/locked-content.ts";
import { isSameSource, lockedSource, shownSource } from "./plan/origin.ts";
import { folderName, NO_FILES, type PlannedStep } from "./plan/plan.ts";
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
  /** Also what another source, or nobody known, installed. */
  readonly replace: boolean;
  /** True: shows what the source contains, and installs nothing. */
  readonly list?: boolean;
  /** Asks a person which of several are wanted. Absent: nobody can be asked. */
  readonly choose?: (skills: readonly SourceSkill[]) => Promise<readonly SourceSkill[]>;
}

/** `--skill '*'` is all of them. */
const EVERY = "*";

/** A message names this many skills of a source. */
const MOST_NAMED = 20;

/** A skill of the source whose name another one of it has. */
interface LeftOutSkill {
  readonly name: string;
  /** Its folder in the source. Given as a name, it is that skill. */
  readonly path: string;
  /** The folder of the other one. */
  readonly instead: string;
}

interface AddResult extends InstallResult {
  /** Those that have a name of the skills that were wanted. */
  readonly leftOut: readonly LeftOutSkill[];
}

/** Installs skills of a source. */
export async function addSkills(options: AddOptions, places: InstallPlaces): Promise<AddResult> {
  const address = absolute(parseSourceAddress(options.source), places);
  const target = await targetOf(options.scope, places);
  const agents: string[] = [];
  for (const agent of options.agents) {
    const folder = await agentFolder(agent, target, places);
    if (folder !== undefined && !agents.includes(folder)) agents.push(folder);
  }
  let available: InstallResult["available"];
  let leftOut: AddResult["leftOut"] = [];
  const result = await runSession(target, places, options, async ({ fetch, locked, planning }) => {
    const fetched = withoutInstalled(await fetch(address), address, locked, target);
    const wanted = await chooseSkills(fetched, address, target, options);
    if (wanted === "list") {
      available = fetched.skills.map(({ name, description, path: below }) => {
        return { name, description, path: below };
      });
      return [];
    }
    leftOut = leftOutBeside(wanted, fetched);
    const source = lockedSource(address, target.lock.format, target.base);
    const { folder: sourceFolder, commit, version } = fetched.tree;
    const steps: PlannedStep[] = [];
    for (const skill of wanted) {
      const known = locked.find(({ name }) => nameKey(name) === nameKey(skill.name));
      const before = known && isSameSource(known, source) ? skillIn(fetched, known)?.path : undefined;
      const installedFrom = before === skill.path ? undefined : before;
      const incoming = { skill, source, sourceFolder, commit, version, ...defined({ installedFrom }) };
      const prefer = options.replace ? "theirs" : "neither";
      const choices = { locked: known, agents, asCopies: options.asCopies, prefer } as const;
      try {
        steps.push(await planSkill(incoming, { ...planning, ...choices }));
      } catch (error) {
        // One skill that cannot be installed must not stop the others.
        if (!(error instanceof Refusal)) throw error;
        const reason = error.message.replace(/\.$/, "");
        const shown = { name: skill.name, source: shownSource(source, commit, version), folder: "" };
        steps.push({ shown: { ...shown, action: "conflict", files: NO_FILES, reason } });
      }
    }
    return steps;
  });
  return { ...result, leftOut, ...defined({ available }) };
}

/** What was installed into the folders of agents is not a skill of the project that has them. */
function withoutInstalled(
  fetched: FetchedSource,
  address: SourceAddress,
  locked: readonly LockedSkill[],
  target: Target,
): FetchedSource {
  if (address.kind !== "folder") return fetched;
  const { folder } = address;
  const named = locked.flatMap(({ own }) => [own?.folder ?? [], own?.copies ?? []].flat());
  const places = new Set(named.map((place) => path.resolve(target.base, place)));
  const isOwn = ({ path: below }: SourceSkill): boolean => !places.has(path.join(folder, below));
  return {
    ...fetched,
    skills: fetched.skills.filter(isOwn),
    leftOut: fetched.leftOut.filter(({ skill }) => isOwn(skill)),
  };
}

function leftOutBeside(wanted: readonly SourceSkill[], { leftOut }: FetchedSource): AddResult["leftOut"] {
  const names = new Set(wanted.flatMap(({ name, ownName }) => [folderName(name), folderName(ownName)]));
  const paths = new Set(wanted.map((skill) => skill.path));
  return leftOut.flatMap(({ skill: { name, path: own }, instead }) =>
    names.has(folderName(name)) && !paths.has(own) ? [{ name, path: own, instead }] : [],
  );
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
  fetched: FetchedSource,
  address: SourceAddress,
  { skillsDir }: Target,
  { source, names, all, list = false, dryRun, choose }: AddOptions,
): Promise<readonly SourceSkill[] | "list"> {
  const { skills, problems } = fetched;
  const holdsInstalled = address.kind === "folder" && isInside(address.folder, skillsDir);
  const why = problems.length === 0 ? "" : ` ${problems.slice(0, 3).join(" ")}`;
  const typed = address.kind === "git" && address.skill !== undefined ? [address.skill, ...names] : names;
  if (skills.length === 0) {
    const besides = holdsInstalled ? ` besides what is installed in ${skillsDir}` : "";
    throw cannotInstall(`'${source}' contains no skill${besides}.${why}`, "");
  }
  if (list) return "list";
  if (typed.includes(EVERY)) return skills;
  if (typed.length > 0) {
    const found = [...new Set(typed.map((name) => skillNamed(name, fetched, source, why)))];
    refuseSameName(found);
    return found;
  }
  if (all || skills.length === 1) return skills;
  const chosen = await choose?.(skills);
  if (chosen !== undefined) return chosen;
  if (dryRun) return "list";
  throw new Refusal(
    `'${source}' contains ${skills.length} skills: ${namesOf(skills, source)}. Name those that you want after the source, or pass --all.`,
    { code: "bad-usage", flag: "--all" },
  );
}

function namesOf(skills: readonly SourceSkill[], source: string): string {
  const names = skills.slice(0, MOST_NAMED).map(({ name }) => name);
  const rest = skills.length - MOST_NAMED;
  return rest > 0
    ? `${names.join(", ")} and ${rest} more (skills-mcp add ${source} --list shows all)`
    : names.join(", ");
}

/** The skill that a person means: by its name, by `<plugin>:<name>`, or by its folder in the source. */
function skillNamed(
  typed: string,
  { skills, leftOut }: FetchedSource,
  source: string,
  why: string,
): SourceSkill {
  const key = nameKey(typed);
  const folder = typed.replace(/^\.(?:\/|$)/, "").replace(/\/+$/, "");
  const sameName = skills.filter(({ ownName }) => nameKey(ownName) === key);
  const found =
    skills.find(({ name }) => nameKey(name) === key) ??
    skills.find((skill) => nameKey(qualifiedName(skill) ?? "") === key) ??
    (sameName.length === 1 ? sameName[0] : undefined) ??
    [...skills, ...leftOut.map(({ skill }) => skill)].find((skill) => skill.path === folder);
  if (found !== undefined) return found;
  const [first] = sameName;
  if (first === undefined) {
    const names = skills.map(({ name }) => name);
    const [meant] = suggestNames(typed, names, 1);
    const way = meant === undefined ? `It contains: ${namesOf(skills, source)}.` : `Did you mean '${meant}'?`;
    throw cannotInstall(`'${source}' contains no skill '${typed}'. ${way}${why}`, "");
  }
  const several = sameName.map((skill) => qualifiedName(skill) ?? skill.path).join(", ");
  throw cannotInstall(
    `'${source}' contains several skills '${typed}': ${several}. Name one of these.`,
    typed,
  );
}

/** Two that were named by their folders may have one name. */
function refuseSameName(skills: readonly SourceSkill[]): void {
  for (const [index, { name, path: own }] of skills.entries()) {
    const same = skills.slice(0, index).find((other) => folderName(other.name) === folderName(name));
    if (same === undefined) continue;
    throw cannotInstall(
      `'${same.path}' and '${own}' would both be installed as '${name}'. Name one of them.`,
      name,
    );
  }
}
