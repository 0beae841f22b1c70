import { readSourceContent, type SkillContent } from "#skills";
import { fetchSource, findSourceSkills, type SourceAddress } from "#sources";
import { nameKey } from "#util/pure";
import { folderName } from "./plan.ts";
import { withName } from "./with-name.ts";

type Contained = Awaited<ReturnType<typeof findSourceSkills>>;
type SkillOfSource = Contained["skills"][number];

/** A skill of a source. Its `name` is what it is installed as. */
export interface SourceSkill extends SkillOfSource {
  /** The name that the source gives it. */
  readonly ownName: string;
}

/** A source that was fetched, with the skills in it. */
export interface FetchedSource {
  readonly tree: Awaited<ReturnType<typeof fetchSource>>;
  /** Highest priority first. Each has a name, and a folder name, of its own. */
  readonly skills: readonly SourceSkill[];
  /** Skills whose name or folder name another one has, with the path of that one. */
  readonly leftOut: readonly { readonly skill: SourceSkill; readonly instead: string }[];
  /** Why other skill files are none: the file and the reason. */
  readonly problems: readonly string[];
}

export async function fetchSkills(
  address: SourceAddress,
  options: Parameters<typeof fetchSource>[1],
): Promise<FetchedSource> {
  const tree = await fetchSource(address, options);
  try {
    const found = await findSourceSkills(tree, address.kind === "git" ? address.path : undefined);
    return { tree, ...withOwnFolders(found) };
  } catch (error) {
    await tree.dispose();
    throw error;
  }
}

/** The files of a skill as they are installed: its SKILL.md has the name by which agents tell it from others. */
export function readFetched(skill: SourceSkill, source: string): SkillContent {
  const content = readSourceContent(skill.folder, source);
  return isQualified(skill) ? withName(content, skill.fileName, skill.name) : content;
}

/** `<plugin>:<name>`, by which a server serves the skill of a plugin; undefined for any other skill. */
export function qualifiedName({ plugin, ownName }: SourceSkill): string | undefined {
  return plugin === undefined ? undefined : `${plugin}:${ownName}`;
}

/** Whether a skill is installed by its qualified name, because its source has several of its own name. */
export function isQualified(skill: SourceSkill): boolean {
  const qualified = qualifiedName(skill);
  return (
    qualified !== undefined &&
    skill.name === folderName(qualified) &&
    nameKey(skill.name) !== nameKey(skill.ownName)
  );
}

/**
 * Skills of several plugins may share a name, and then each is installed as `<plugin>-<name>`. What would get the folder of
 * another skill all the same is left out.
 */
function withOwnFolders({ skills, leftOut, problems }: Contained): Omit<FetchedSource, "tree"> {
  const folders = new Map<string, SourceSkill>();
  const without = leftOut.map(({ skill, instead }) => ({ skill: ofOwnName(skill), instead }));
  const counts = new Map<string, number>();
  for (const { name } of skills) counts.set(nameKey(name), (counts.get(nameKey(name)) ?? 0) + 1);
  for (const skill of skills.map(ofOwnName)) {
    const qualified = qualifiedName(skill);
    const isShared = (counts.get(nameKey(skill.name)) ?? 0) > 1;
    const named = isShared && qualified !== undefined ? { ...skill, name: folderName(qualified) } : skill;
    const same = folders.get(folderName(named.name));
    if (same === undefined) folders.set(folderName(named.name), named);
    else without.push({ skill, instead: same.path });
  }
  return { skills: [...folders.values()], leftOut: without, problems };
}

function ofOwnName(skill: SkillOfSource): SourceSkill {
  return { ...skill, ownName: skill.name };
}
