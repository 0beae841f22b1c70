import { optional, strictObject, string } from "zod";
import { libraryTool } from "../library-tool.ts";
import { GET_SKILL } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";

const context = string().describe("Free-text description of the task");
const skill_path = optional(
  string()
    .min(1, "The skill_path cannot be empty")
    .describe(
      "The path of one skill, such as an ambiguous answer lists; it is served whatever the context says",
    ),
);

/** Finds the skill that fits a task and answers with its text, everything it inherits, and what comes with it. */
export const getSkillTool = libraryTool({
  name: "get_skill",
  title: "Get Skill",
  description:
    "Find the skill of the library that fits a task and get its content: the rules and patterns to follow, the general ones first, with the assets and scripts that come with it. Describe the task in a few words. An ambiguous answer lists candidates: call again with one's skill_path.",
  // A path alone says enough, but clients are told that a context is wanted.
  input: strictObject({ context: optional(context), skill_path }).refine(
    (given) => given.context !== undefined || given.skill_path !== undefined,
    { path: ["context"], message: "it is required, unless a skill_path is given" },
  ),
  shown: strictObject({ context, skill_path }),
  output: GET_SKILL,
  annotations: READ_ONLY,
  run: (library, given) => library.getSkill({ context: given.context ?? "", skillPath: given.skill_path }),
});
