import type { Entry } from "../../catalog/catalog.ts";
import { pluginId, type Skill } from "../../skill/skill.ts";

/** A skill as `list --json` and `info --json` print it. Scripts depend on these names. */
export function skillJson(entry: Entry) {
  const { skill, listedAs, shadowed } = entry;
  return {
    name: listedAs,
    description: skill.description,
    ...placeJson(skill),
    shadowed: shadowed.map(placeJson),
  };
}

function placeJson(skill: Skill) {
  return {
    provider: skill.provider,
    location: skill.location,
    ...(skill.plugin === undefined ? {} : { plugin: pluginId(skill.plugin) }),
    path: skill.dir,
  };
}
