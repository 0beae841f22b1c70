import { strictObject, string } from "zod";
import { libraryTool } from "../library-tool.ts";
import { GET_ASSET } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";

/** Fetches a file that a library skill declares or inherits. */
export const getAssetTool = libraryTool({
  name: "get_asset",
  title: "Get Asset",
  description:
    "Get the content of an asset or script that get_skill listed for a skill, its own or inherited. Binary files come as base64.",
  input: strictObject({
    skill_path: string().min(1).describe("Skill path"),
    file: string().min(1).describe("Relative file path within the resource directory, as get_skill lists it"),
  }),
  output: GET_ASSET,
  annotations: READ_ONLY,
  run: (library, { skill_path: skillPath, file }) => library.getAsset({ skillPath, file }),
});
