import type { CallToolResult } from "@modelcontextprotocol/server";
import { literal, object, string, union, type z } from "zod";
import type { LibraryTools } from "#library";
import { Refusal } from "#util/pure";
import { PROVENANCE } from "../answers/skill-page.ts";
import { defineTool, type Tool, type ToolCall, type ToolDeclaration } from "./tool.ts";

interface LibraryToolDeclaration<Input extends z.ZodType>
  extends Omit<ToolDeclaration<Input>, "set" | "output" | "handle"> {
  /** What it answers: one or several kinds of objects. A refusal is one more. */
  readonly outputs: readonly z.ZodType[];
  run(
    library: LibraryTools,
    args: z.infer<Input>,
    call: ToolCall,
  ): Promise<object & { readonly sha256?: string }>;
}

/** What a library tool answers when it refuses. */
const FAILURE = object({ error: literal(true), message: string() });

/** The parameter that is the path of a library skill. */
export const SKILL_PATH = string()
  .min(1)
  .describe("Path from get_skill or list_skills, such as database/migrations/backfill");

/** A tool over the library. It answers with JSON, as text and as data; so are its refusals. */
export function libraryTool<Input extends z.ZodType>({
  outputs,
  run,
  ...declaration
}: LibraryToolDeclaration<Input>): Tool {
  return defineTool<Input>({
    ...declaration,
    set: "library",
    output: union([...outputs, FAILURE]),
    async handle({ library }, args, call) {
      try {
        const { sha256, ...answer } = await run(library, args, call);
        return { ...jsonResult(answer), ...(await originOf(library, answer, args, sha256)) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ...jsonResult({ error: true, message: error.message }), isError: true };
      }
    },
  });
}

/** Where the skill of an answer came from, if the answer is about one and that is known. */
async function originOf(
  library: Pick<LibraryTools, "provenance">,
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
