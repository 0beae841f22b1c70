import type { Entry, Skill, Snapshot } from "#skills";
import { nameKey } from "#util/pure";
import { skillFile } from "../mcp/client-view/found-skills.ts";

/**
 * `shadows`: this one is served in its place. `same-name`: both are served, each by its full name. `same-folder`: the
 * same real folder, found a second time.
 */
type Relation = "shadows" | "shadowed-by" | "same-name" | "same-folder";

/** Other skills that could be mistaken for this one. */
export function relatedSkills({ catalog }: Snapshot, entry: Entry) {
  const { skill, shadowed, alsoSeen } = entry;
  const sameName = (catalog.names.byName.get(nameKey(skill.name)) ?? []).filter((other) => other !== entry);
  return [
    ...shadowed.map((other) => relatedSkill("shadows", other, other.name)),
    ...sameName.map((other) => relatedSkill("same-name", other.skill, other.listedAs)),
    ...alsoSeen.map((other) => relatedSkill("same-folder", other, other.name)),
  ];
}

export function relatedSkill(relation: Relation, skill: Skill, name: string) {
  const { provider, location } = skill;
  return { relation, name, provider, location, file: skillFile(skill) };
}
