import { boolean, object, strictObject, string } from "zod";
import { libraryTool, SKILL_PATH } from "./library-tool.ts";

/** Records what a model thinks of a library skill. */
export const reportUsage = libraryTool({
  name: "report_usage",
  position: 5,
  title: "Report Usage",
  description: "Tell the authors of a skill whether it was useful for your task.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: strictObject({
    skill_path: SKILL_PATH,
    useful: boolean().describe("Whether the skill helped"),
    comment: string().max(10_000).optional().describe("What was missing, wrong or good"),
  }),
  outputs: [object({ recorded: boolean(), message: string() })],
  run: (library, { skill_path: skillPath, useful, comment }) =>
    library.reportUsage({ skillPath, useful, comment }),
});
