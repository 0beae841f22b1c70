import { strictObject, string } from "zod";
import { argumentNames, inputSchemaOf, parseArguments } from "../arguments.ts";
import { READ_ONLY } from "../read-only.ts";
import type { Tool } from "../tool.ts";
import { skillAnswer, skillHeader } from "./skill-answer.ts";

const NAME = "skill";

const INPUT = strictObject({
  name: string()
    .min(1, "Skill name cannot be empty")
    .describe("Name of the skill to load (case-insensitive)"),
});

/** Loads a skill by name; its description is the list of skills. */
export const skillTool: Tool = {
  name: NAME,
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
      content: [{ type: "text", text: skillAnswer(loaded) }],
      _meta: { "skills-mcp/skill": skillHeader(loaded) },
    };
  },
};

/** Claude Code's own tool takes `command`, so models that know it try that first. */
function hintFor(args: unknown): string | undefined {
  return argumentNames(args).includes("command") ? "Use `name` instead of `command`." : undefined;
}
