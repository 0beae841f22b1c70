import type { LoadedSkill } from "../../app/skills/load-skill.ts";
import { pluginId } from "../../skill/skill.ts";

/** Where a loaded skill came from, as data. */
export function skillHeader({ entry }: LoadedSkill) {
  const { skill, listedAs } = entry;
  return {
    name: listedAs,
    baseDirectory: skill.dir,
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === undefined ? {} : { plugin: pluginId(skill.plugin) }),
  };
}

/** The same as text, and then the file. The folder is named because the file names others in it. */
export function skillAnswer(loaded: LoadedSkill): string {
  const { name, baseDirectory, location, provider, plugin } = skillHeader(loaded);
  const lines = [
    `Loading: ${name}`,
    `Base directory: ${baseDirectory}`,
    `Location: ${location}`,
    `Provider: ${provider}`,
    ...(plugin === undefined ? [] : [`Plugin: ${plugin}`]),
  ];
  return `${lines.join("\n")}\n\n${loaded.text}`;
}
