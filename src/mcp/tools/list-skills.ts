import { optional, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Shows the library as a tree. */
export const listSkillsTool = libraryTool({
  name: "list_skills",
  input: strictObject({ path: optional(string()) }),
  run: (library, { path }) => library.listSkills(path ?? ""),
});
