import { strictObject } from "zod";
import { libraryTool } from "../library-tool.ts";
import { REFRESH_SKILLS } from "../output/skill-answers.ts";

/** Brings the library up to date now instead of at the next interval. */
export const refreshSkillsTool = libraryTool({
  name: "refresh_skills",
  title: "Refresh Skills",
  description: "Fetch the newest version of the skill library, where it comes from git, and read it anew.",
  input: strictObject({}),
  output: REFRESH_SKILLS,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: (library, _args, { progress }) => library.refreshSkills(progress),
});
