import { boolean, optional, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Collects whether a skill helped. */
export const reportUsageTool = libraryTool({
  name: "report_usage",
  input: strictObject({
    skill_path: string().min(1),
    useful: boolean(),
    comment: optional(string().max(10_000)),
  }),
  run: (library, { skill_path: skillPath, useful, comment }) =>
    library.reportUsage({ skillPath, useful, comment }),
});
