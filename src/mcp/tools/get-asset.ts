import { strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Fetches a file that a library skill declares or inherits. */
export const getAssetTool = libraryTool({
  name: "get_asset",
  input: strictObject({
    skill_path: string().min(1),
    file: string().min(1),
  }),
  run: (library, { skill_path: skillPath, file }) => library.getAsset({ skillPath, file }),
});
