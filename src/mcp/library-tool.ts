import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { LibraryTools } from "../app/library/create-library.ts";
import { Refusal } from "../skill/refusal.ts";
import { inputSchemaOf, parseArguments } from "./arguments.ts";
import type { OutputSchema } from "./output/schema.ts";
import type { Tool, ToolCall } from "./tool.ts";

interface LibraryToolOptions<T> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<T>;
  readonly output: OutputSchema;
  readonly annotations: ToolDefinition["annotations"];
  /** The schema that clients see, where it differs from the one that calls are checked with. */
  readonly shown?: z.ZodType;
  run(library: LibraryTools, args: T, call: ToolCall): Promise<object>;
}

/** A tool over the library: it answers with JSON, as text and as data, and so it does when it cannot. */
export function libraryTool<T>(options: LibraryToolOptions<T>): Tool {
  const { name, title, description, input, output: outputSchema, annotations, shown = input } = options;
  return {
    name,
    definition: () => ({
      name,
      title,
      description,
      inputSchema: inputSchemaOf(shown),
      outputSchema,
      annotations,
    }),
    async call(app, args, call) {
      const parsed = parseArguments(name, input, args);
      try {
        return jsonResult(await options.run(app.library, parsed, call));
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
