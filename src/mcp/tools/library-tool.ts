import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { LibraryTools } from "../../app/library/create-library.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { ToolName } from "../definitions/tool-sets.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { parseArguments } from "./tool.ts";

interface LibraryToolOptions<T> {
  readonly name: ToolName;
  readonly input: z.ZodType<T>;
  run(library: LibraryTools, args: T, call: ToolCall): Promise<object>;
}

/** A tool over the library: it answers with JSON, as text and as data, and so it does when it cannot. */
export function libraryTool<T>({ name, input, run }: LibraryToolOptions<T>): Tool {
  return {
    name,
    input,
    async call(app, args, call) {
      const parsed = parseArguments(name, input, args);
      try {
        return jsonResult(await run(app.library, parsed, call));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ...jsonResult({ error: true, message: error.message }), isError: true };
      }
    },
  };
}

function jsonResult(answer: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
  };
}
