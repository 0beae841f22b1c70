import { optional, record, strictObject, string } from "zod";
import { libraryTool } from "../library-tool.ts";
import { RUN_SCRIPT } from "../output/skill-answers.ts";

/** Runs a script that a library skill declares for the server. */
export const runScriptTool = libraryTool({
  name: "run_script",
  title: "Run Script",
  description:
    'Run a script that get_skill listed with execution "server", its own or inherited, in a controlled environment on the server. Arguments reach it as SKILL_ARG_<NAME> environment variables.',
  input: strictObject({
    skill_path: string().min(1).describe("Skill path"),
    file: string().min(1).describe("Script file path, as get_skill lists it"),
    args: record(string(), string()).describe("Named arguments; {} for none"),
    cwd: optional(
      string().describe("Working directory inside of the project; the script's own when left out"),
    ),
  }),
  output: RUN_SCRIPT,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: (library, { skill_path: skillPath, file, args, cwd }, { signal, progress }) =>
    library.runScript(
      { skillPath, file, args, cwd },
      { signal, ...(progress === undefined ? {} : { onLine: progress }) },
    ),
});
