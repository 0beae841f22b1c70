import { array, int, object, strictObject, string, unknown } from "zod";
import { libraryTool } from "./library-tool.ts";
import { READ_ONLY } from "./tool.ts";

/** Lists the library as a tree. */
export const listSkills = libraryTool({
  name: "list_skills",
  position: 2,
  title: "List Library Skills",
  description: "Browse the skills of the library as a tree: all of them, or those below a path.",
  annotations: READ_ONLY,
  input: strictObject({
    path: string().optional().describe('Sub-tree, such as "ui" or "api/_index"'),
  }),
  outputs: [
    object({
      tree: object({
        name: string(),
        path: string(),
        description: string(),
        keywords: array(string()),
        assetCount: int(),
        scriptCount: int(),
        // To any depth, which not every client can read as a schema.
        children: array(unknown().meta({ type: "object" })).describe(
          "The skills below it, with the same fields",
        ),
      }),
    }),
  ],
  run: (library, { path }) => library.listSkills(path ?? ""),
});
