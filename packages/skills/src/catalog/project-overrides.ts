import { nameKey } from "#util/pure";
import type { Skill } from "../skill/skill.ts";
import type { Catalog, Entry } from "./catalog.ts";
import { lookUp } from "./resolve-name.ts";

/** A user's skill whose name loads a skill of the project instead. */
export interface ProjectOverride {
  readonly by: Entry;
  readonly skill: Skill;
  /** The name that still loads it; undefined when it is shadowed. */
  readonly stillAs: string | undefined;
}

/**
 * Whoever writes a project's files decides what its skills say, so the user should know where one of them answers to a name
 * that was theirs: it has the identity of theirs, or the short name leads to it.
 */
export function projectOverrides({ entries, names }: Catalog): readonly ProjectOverride[] {
  const taken: ProjectOverride[] = [];
  for (const by of entries) {
    if (by.shadowed.length === 0 || !isOfProject(by)) continue;
    for (const skill of by.shadowed) if (isOfUser(skill)) taken.push({ by, skill, stillAs: undefined });
  }
  for (const sameName of names.byName.values()) {
    const name = sameName[0]?.skill.name ?? "";
    const found = sameName.length < 2 ? undefined : lookUp(names, name);
    if (found?.kind !== "found" || !isOfProject(found.entry)) continue;
    const without = withoutProjects(sameName, name);
    if (without !== undefined && isOfUser(without.skill))
      taken.push({ by: found.entry, skill: without.skill, stillAs: without.listedAs });
  }
  return taken;
}

/** What a name would load if no project had a skill of it. */
function withoutProjects(sameName: readonly Entry[], name: string): Entry | undefined {
  const others = sameName.filter((entry) => !isOfProject(entry));
  const alone = { byName: new Map([[nameKey(name), others]]), ofQualified: () => undefined };
  const found = lookUp(alone, name);
  // A plugin's skill goes by its full name in every list.
  return found.kind === "found" && found.entry.skill.plugin === undefined ? found.entry : undefined;
}

/** A folder that the user named on the command line is theirs, wherever it lies. */
function isOfProject({ skill: { location, provider } }: Entry): boolean {
  return location === "project" && provider !== "file";
}

/** Their own, or of a repository that they have served. */
function isOfUser({ location }: Skill): boolean {
  return location === "user" || location === "repo";
}
