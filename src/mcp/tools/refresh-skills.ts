import { strictObject } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Brings the library up to date now instead of at the next interval. */
export const refreshSkillsTool = libraryTool({
  name: "refresh_skills",
  input: strictObject({}),
  run: (library, _args, { progress }) => library.refreshSkills(progress),
});
