import { optional, strictObject, string } from "zod";
import { libraryTool } from "../library-tool.ts";
import { LIST_SKILLS } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";

/** Shows the library as a tree. */
export const listSkillsTool = libraryTool({
  name: "list_skills",
  title: "List Library Skills",
  description: "Browse the skills of the library as a tree, all of them or those below a path.",
  input: strictObject({ path: optional(string().describe('Sub-tree, such as "ui" or "api/_index"')) }),
  output: LIST_SKILLS,
  annotations: READ_ONLY,
  run: (library, { path }) => library.listSkills(path ?? ""),
});
