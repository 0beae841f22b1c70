import { int, strictObject, string } from "zod";
import { LAST_POSITION } from "../definitions/skill-tools.ts";
import { headerText, type ShownSkill, showSkill } from "./skill-header.ts";
import { skillPage } from "./skill-page.ts";
import { parseArguments, type Tool } from "./tool.ts";

const NAME = "skill";

const INPUT = strictObject({
  name: string().min(1, "Skill name cannot be empty"),
  offset: int().min(0).max(LAST_POSITION).optional(),
});

/** Loads a skill by name; its description is the list of skills. */
export const skillTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args, { traits, isRemote }) {
    const { name, offset = 0 } = parseArguments(NAME, INPUT, args, hintFor(args));
    const shown = await showSkill(app, name, isRemote);
    const answer = skillPage(shown, offset, traits.answerLimit);
    if (offset === 0) app.record("skill_served", { skill_path: shown.entry.listedAs, via: "skill" });
    return answer;
  },
};

/** Claude Code's own tool takes `command`, so models that know it try that first. */
function hintFor(args: unknown): string | undefined {
  const usesCommand = typeof args === "object" && args !== null && "command" in args;
  return usesCommand ? "Use `name` instead of `command`." : undefined;
}

/** The header, then the file. */
export function skillAnswer(shown: ShownSkill): string {
  return headerText(shown) + shown.text;
}
