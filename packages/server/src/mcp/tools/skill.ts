import { strictObject, string } from "zod";
import { showSkill } from "../answers/skill-header.ts";
import { skillPage } from "../answers/skill-page.ts";
import { defineTool, POSITION, READ_ONLY } from "./tool.ts";

/** Loads a skill by name. Its description is the list of skills. */
export const skill = defineTool({
  name: "skill",
  set: "loader",
  position: 1,
  alwaysLoad: true,
  skillParameter: "name",
  title: "Load Skill",
  description: "{skills}",
  annotations: READ_ONLY,
  searchHint: "skills, instructions, workflows, how-to for a task",
  largeAnswers: true,
  input: strictObject({
    name: string()
      .min(1, "Skill name cannot be empty")
      .describe("Name of the skill to load (case-insensitive)"),
    offset: POSITION.optional().describe("Continue a long skill at this position"),
  }),
  // Claude Code's own tool takes `command`, so models that know it try that first.
  hint: (args) =>
    typeof args === "object" && args !== null && "command" in args
      ? "Use `name` instead of `command`."
      : undefined,
  async handle({ snapshotWith, record }, { name, offset = 0 }, { traits, isRemote }) {
    const shown = await showSkill(snapshotWith, name, isRemote);
    const answer = skillPage(shown, offset, traits.answerLimit);
    if (offset === 0) record("skill_served", { skill_path: shown.entry.listedAs, via: "skill" });
    return answer;
  },
});
