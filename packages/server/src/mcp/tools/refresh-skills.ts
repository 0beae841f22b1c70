import { array, boolean, int, object, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** The fields of one synchronization with a repository. */
const SYNCED = {
  commit_hash: string().optional(),
  files_changed: int().optional(),
  last_sync: string().optional(),
  failing_since: string().optional().describe("When the current series of failures began"),
  message: string().optional(),
};

/** Fetches the library from its repositories and reads it again. */
export const refreshSkills = libraryTool({
  name: "refresh_skills",
  position: 6,
  scope: "skills:admin",
  title: "Refresh Skills",
  description: "Fetch the latest version of the skill library, if it comes from git, and read it again.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: strictObject({}),
  outputs: [
    object({
      success: boolean(),
      mode: string().optional(),
      ...SYNCED,
      skills_reindexed: int().optional(),
      repositories: array(object({ repository: string(), success: boolean(), ...SYNCED })).optional(),
    }),
  ],
  run: (library, _args, { progress }) => library.refreshSkills(progress),
});
