import { strictObject, string } from "zod";
import type { LoadedSkill } from "../../app/skills/load-skill.ts";
import { hostFieldsIn } from "../../skill/invocation.ts";
import { pluginId } from "../../skill/skill.ts";
import { authorLines } from "./author-lines.ts";
import { parseArguments, type Tool } from "./tool.ts";

const NAME = "skill";

const INPUT = strictObject({
  name: string().min(1, "Skill name cannot be empty"),
});

/** Loads a skill by name; its description is the list of skills. */
export const skillTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args) {
    const { name } = parseArguments(NAME, INPUT, args, hintFor(args));
    const loaded = await app.load(name);
    app.record("skill_served", { skill_path: loaded.entry.listedAs, via: "skill" });
    return {
      content: [{ type: "text", text: skillAnswer(loaded) }],
      _meta: { "skills-mcp/skill": skillHeader(loaded) },
    };
  },
};

/** Claude Code's own tool takes `command`, so models that know it try that first. */
function hintFor(args: unknown): string | undefined {
  const usesCommand = typeof args === "object" && args !== null && "command" in args;
  return usesCommand ? "Use `name` instead of `command`." : undefined;
}

/** Where a loaded skill came from, as data. */
function skillHeader({ entry, fields }: LoadedSkill) {
  const { skill, listedAs } = entry;
  const hostFields = hostFieldsIn(fields);
  return {
    name: listedAs,
    baseDirectory: skill.dir,
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === undefined ? {} : { plugin: pluginId(skill.plugin) }),
    ...(skill.invocation === undefined ? {} : { invocation: skill.invocation }),
    ...(Object.keys(hostFields).length === 0 ? {} : { frontMatter: hostFields }),
  };
}

/** The same as text, then the file. The folder is named because the file refers to others in it. */
export function skillAnswer(loaded: LoadedSkill): string {
  const { name, baseDirectory, location, provider, plugin } = skillHeader(loaded);
  const lines = [
    `Loading: ${name}`,
    `Base directory: ${baseDirectory}`,
    `Location: ${location}`,
    `Provider: ${provider}`,
    ...(plugin === undefined ? [] : [`Plugin: ${plugin}`]),
    ...authorLines(loaded, baseDirectory),
  ];
  return `${lines.join("\n")}\n\n${loaded.text}`;
}
