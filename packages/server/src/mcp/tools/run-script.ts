import { boolean, int, number, object, record, strictObject, string } from "zod";
import { libraryTool, SKILL_PATH } from "./library-tool.ts";
import { LONGEST_PATH } from "./tool.ts";

/** Runs a script that a library skill declares. */
export const runScript = libraryTool({
  name: "run_script",
  position: 4,
  scope: "skills:run",
  title: "Run Script",
  description:
    'Run a script that get_skill listed with execution "server", of the skill itself or an inherited one, in a controlled environment on the server. Arguments reach it as SKILL_ARG_<NAME> environment variables.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: strictObject({
    skill_path: SKILL_PATH,
    file: string().min(1).max(LONGEST_PATH).describe("Script file path, as get_skill lists it"),
    args: record(string(), string()).describe("Named arguments; {} for none"),
    cwd: string()
      .max(LONGEST_PATH)
      .optional()
      .describe("Working directory inside the project; default: the server's own"),
  }),
  outputs: [
    object({
      success: boolean(),
      exit_code: int(),
      stdout: string(),
      stderr: string(),
      duration_ms: number(),
      script: string(),
      stdout_truncated: boolean().optional(),
      stderr_truncated: boolean().optional(),
      sandbox: string(),
      warning: string()
        .optional()
        .describe("What to know about how it ran, such as that it ran without a sandbox"),
    }),
  ],
  run: (library, { skill_path: skillPath, file, args, cwd }, { signal, progress }) =>
    library.runScript(
      { skillPath, file, args, cwd },
      { signal, ...(progress === undefined ? {} : { onLine: progress }) },
    ),
});
