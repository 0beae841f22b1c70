import { boolean, optional, strictObject, string } from "zod";
import { libraryTool } from "../library-tool.ts";
import { REPORT_USAGE } from "../output/skill-answers.ts";

/** Collects whether a skill helped. */
export const reportUsageTool = libraryTool({
  name: "report_usage",
  title: "Report Usage",
  description: "Tell the authors of a skill whether it was useful for your task.",
  input: strictObject({
    skill_path: string().min(1).describe("Skill path"),
    useful: boolean().describe("Whether the skill helped"),
    comment: optional(string().max(10_000).describe("What was missing, wrong or good")),
  }),
  output: REPORT_USAGE,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: (library, { skill_path: skillPath, useful, comment }) =>
    library.reportUsage({ skillPath, useful, comment }),
});
