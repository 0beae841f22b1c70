import type { Entry } from "../../catalog/catalog.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { nameKey } from "../../skill/names.ts";
import type { Skill } from "../../skill/skill.ts";
import { skillFile } from "./skill-rows.ts";

/** Another skill that could be taken for this one. */
export interface Twin {
  /**
   * `hides`: this one is served in its place. `same-name`: both are served, each by its full name. `same-folder`: the
   * very same folder, seen again elsewhere.
   */
  readonly relation: "hides" | "hidden-by" | "same-name" | "same-folder";
  readonly name: string;
  readonly provider: string;
  readonly location: string;
  readonly file: string;
}

export function twinsOf({ catalog }: Snapshot, entry: Entry): readonly Twin[] {
  const { skill, shadowed, alsoSeen } = entry;
  const sameName = (catalog.names.byName.get(nameKey(skill.name)) ?? []).filter((other) => other !== entry);
  return [
    ...shadowed.map((twin) => twinOf("hides", twin, twin.name)),
    ...sameName.map((twin) => twinOf("same-name", twin.skill, twin.listedAs)),
    ...alsoSeen.map((twin) => twinOf("same-folder", twin, twin.name)),
  ];
}

export function twinOf(relation: Twin["relation"], skill: Skill, name: string): Twin {
  const { provider, location } = skill;
  return { relation, name, provider, location, file: skillFile(skill) };
}
