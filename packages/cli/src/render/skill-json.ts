import { LIBRARY_PROVIDER } from "#agents";
import { type DisabledFor, type Entry, type LibrarySkill, pluginId, type Skill } from "#skills";

/** A skill as `list --json` and `info --json` print it. Scripts depend on these names. */
export function skillJson(entry: Entry, disabledFor: readonly DisabledFor[] = []) {
  const { skill, listedAs, shadowed } = entry;
  return {
    name: listedAs,
    description: skill.description,
    ...placeJson(skill),
    ...(skill.invocation === undefined ? {} : { invocation: skill.invocation }),
    ...(skill.requirements === undefined ? {} : { requirements: skill.requirements }),
    ...(disabledFor.length === 0 ? {} : { disabledFor }),
    shadowed: shadowed.map(placeJson),
  };
}

/** A library skill as `list --json` and `info --json` print it. `skill_path` is what `get_skill` takes. */
export function librarySkillJson({ path, description, keywords, location, file }: LibrarySkill) {
  return {
    name: path,
    description,
    provider: LIBRARY_PROVIDER,
    location,
    path: file,
    skill_path: path,
    keywords,
    shadowed: [],
  };
}

function placeJson(skill: Skill) {
  return {
    provider: skill.provider,
    location: skill.location,
    ...(skill.plugin === undefined ? {} : { plugin: pluginId(skill.plugin) }),
    ...(skill.label === undefined ? {} : { label: skill.label }),
    ...(skill.repo === undefined ? {} : { repository: skill.repo }),
    path: skill.dir,
  };
}
