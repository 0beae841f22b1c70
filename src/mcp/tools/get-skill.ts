import { optional, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Finds the skill that fits a task and answers with its text, everything it inherits, and what comes with it. */
export const getSkillTool = libraryTool({
  name: "get_skill",
  // The definition requires a context, but a path alone is enough.
  input: strictObject({
    context: optional(string()),
    skill_path: optional(string().min(1, "The skill_path cannot be empty")),
  }).refine((given) => given.context !== undefined || given.skill_path !== undefined, {
    path: ["context"],
    message: "it is required, unless a skill_path is given",
  }),
  run: (library, given) => library.getSkill({ context: given.context ?? "", skillPath: given.skill_path }),
});
