import type { CallToolResult } from "@modelcontextprotocol/server";
import { boolean, optional, record, strictObject, string, type z } from "zod";
import type { LibraryTools } from "#library";
import { Refusal } from "#util/pure";
import type { ToolName } from "../definitions/tool-sets.ts";
import { PROVENANCE } from "./skill-page.ts";
import { parseArguments, type Tool, type ToolCall } from "./tool.ts";

interface LibraryToolOptions<T> {
  readonly name: ToolName;
  readonly input: z.ZodType<T>;
  run(library: LibraryTools, args: T, call: ToolCall): Promise<object & { readonly sha256?: string }>;
}

/** A tool over the library. It answers with JSON, as text and as data; so are its refusals. */
function libraryTool<T>({ name, input, run }: LibraryToolOptions<T>): Tool {
  return {
    name,
    input,
    async call(app, args, call) {
      const parsed = parseArguments(name, input, args);
      try {
        const { sha256, ...answer } = await run(app.library, parsed, call);
        return { ...jsonResult(answer), ...(await originOf(app.library, answer, parsed, sha256)) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ...jsonResult({ error: true, message: error.message }), isError: true };
      }
    },
  };
}

/** Where the skill of an answer came from, if the answer is about one and that is known. */
async function originOf(
  library: LibraryTools,
  answer: object,
  args: unknown,
  sha256: string | undefined,
): Promise<Pick<CallToolResult, "_meta">> {
  const path = textAt(answer, "skill_path") ?? textAt(args, "skill_path");
  const known = path === undefined ? undefined : await library.provenance(path);
  if (known === undefined && sha256 === undefined) return {};
  return { _meta: { [PROVENANCE]: { ...known, ...(sha256 === undefined ? {} : { sha256 }) } } };
}

function textAt(value: unknown, key: string): string | undefined {
  const found =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

function jsonResult(answer: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
  };
}

export const getSkillTool = libraryTool({
  name: "get_skill",
  // The definition requires a context, but a path alone is enough.
  input: strictObject({
    context: optional(string()),
    skill_path: optional(string().min(1, "The skill_path cannot be empty")),
  }).refine((given) => given.context !== undefined || given.skill_path !== undefined, {
    path: ["context"],
    message: "it is required, unless a skill_path is given",
  }),
  run: (library, given) => library.getSkill({ context: given.context ?? "", skillPath: given.skill_path }),
});

export const listSkillsTool = libraryTool({
  name: "list_skills",
  input: strictObject({ path: optional(string()) }),
  run: (library, { path }) => library.listSkills(path ?? ""),
});

export const getAssetTool = libraryTool({
  name: "get_asset",
  input: strictObject({
    skill_path: string().min(1),
    file: string().min(1),
  }),
  run: (library, { skill_path: skillPath, file }) => library.getAsset({ skillPath, file }),
});

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

export const reportUsageTool = libraryTool({
  name: "report_usage",
  input: strictObject({
    skill_path: string().min(1),
    useful: boolean(),
    comment: optional(string().max(10_000)),
  }),
  run: (library, { skill_path: skillPath, useful, comment }) =>
    library.reportUsage({ skillPath, useful, comment }),
});

export const refreshSkillsTool = libraryTool({
  name: "refresh_skills",
  input: strictObject({}),
  run: (library, _args, { progress }) => library.refreshSkills(progress),
});
