import { optional, record, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";

/** Runs a script that a library skill declares for the server. */
export const runScriptTool = libraryTool({
  name: "run_script",
  input: strictObject({
    skill_path: string().min(1),
    file: string().min(1),
    args: record(string(), string()),
    cwd: optional(string()),
  }),
  run: (library, { skill_path: skillPath, file, args, cwd }, { signal, progress }) =>
    library.runScript(
      { skillPath, file, args, cwd },
      { signal, ...(progress === undefined ? {} : { onLine: progress }) },
    ),
});
