import { int, object, strictObject, string } from "zod";
import { libraryTool, SKILL_PATH } from "./library-tool.ts";
import { LONGEST_PATH, READ_ONLY } from "./tool.ts";

/** Reads a file that a library skill declares. */
export const getAsset = libraryTool({
  name: "get_asset",
  position: 3,
  title: "Get Asset",
  description:
    "Get an asset or script that get_skill listed for a skill (its own or an inherited one). Binary files come as base64.",
  annotations: READ_ONLY,
  input: strictObject({
    skill_path: SKILL_PATH,
    file: string()
      .min(1)
      .max(LONGEST_PATH)
      .describe("Relative file path within the resource directory, as get_skill lists it"),
  }),
  outputs: [
    object({
      skill_path: string(),
      file: string(),
      content: string().optional().describe("The text of a text file"),
      content_base64: string().optional().describe("A binary file"),
      size_bytes: int(),
      type: string(),
      mime_type: string().optional(),
      resolved_from: string().optional().describe("The parent skill that it comes from"),
    }),
  ],
  run: (library, { skill_path: skillPath, file }) => library.getAsset({ skillPath, file }),
});
