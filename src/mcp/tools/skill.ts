import { strictObject, string } from "zod";
import type { LoadedSkill } from "../../app/load-skill.ts";
import { pluginId } from "../../skill/skill.ts";
import { argumentNames, inputSchemaOf, parseArguments } from "../arguments.ts";
import { READ_ONLY } from "../read-only.ts";
import type { Tool } from "../tool.ts";

const NAME = "skill";

const INPUT = strictObject({
  name: string()
    .min(1, "Skill name cannot be empty")
    .describe("Name of the skill to load (case-insensitive)"),
});

/** Loads a skill by name; its description is the list of skills. */
export const skillTool: Tool = {
  name: NAME,
  guidance:
    "Skills are instructions for particular tasks. Before you begin a task, check the list in the `skill` tool's description; if one fits, load it with `skill` and follow it.",
  definition: ({ described }) => ({
    name: NAME,
    title: "Load Skill",
    description: described.text,
    inputSchema: inputSchemaOf(INPUT),
    annotations: READ_ONLY,
  }),
  async call(app, args) {
    const { name } = parseArguments(NAME, INPUT, args, hintFor(args));
    const loaded = await app.load(name);
    app.record("skill_served", { skill_path: loaded.entry.listedAs, via: "skill" });
    return {
      content: [{ type: "text", text: answerText(loaded) }],
      _meta: { "skills-mcp/skill": header(loaded) },
    };
  },
};

/** Claude Code's own tool takes `command`, so models that know it try that first. */
function hintFor(args: unknown): string | undefined {
  return argumentNames(args).includes("command") ? "Use `name` instead of `command`." : undefined;
}

function header({ entry }: LoadedSkill) {
  const { skill, listedAs } = entry;
  return {
    name: listedAs,
    baseDirectory: skill.dir,
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === undefined ? {} : { plugin: pluginId(skill.plugin) }),
  };
}

/** What an agent gets when it loads a skill. */
export function answerText(loaded: LoadedSkill): string {
  const { name, baseDirectory, location, provider, plugin } = header(loaded);
  const lines = [
    `Loading: ${name}`,
    `Base directory: ${baseDirectory}`,
    `Location: ${location}`,
    `Provider: ${provider}`,
    ...(plugin === undefined ? [] : [`Plugin: ${plugin}`]),
  ];
  return `${lines.join("\n")}\n\n${loaded.text}`;
}
