import { strictObject, string } from "zod";
import { argumentNames, parseArguments } from "./arguments.ts";
import { skillAnswer, skillHeader } from "./skill-answer.ts";
import type { Tool } from "./tool.ts";

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
  return argumentNames(args).includes("command") ? "Use `name` instead of `command`." : undefined;
}
