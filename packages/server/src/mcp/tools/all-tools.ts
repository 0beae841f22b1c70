import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ToolName } from "../definitions/tool-definitions.generated.ts";
import { underscored } from "../definitions/tool-sets.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools.generated.ts";

/** A tool that is loaded when it is first called. */
type CallableTool = Pick<Tool, "name" | "call">;

export function toolsOf(names: readonly ToolName[]): readonly CallableTool[] {
  return names.map((name) => ({
    name,
    call: async (...given) => (await TOOLS[name]()).call(...given),
  }));
}

/** Finds a tool by its name, with dots or underscores. `listed` are the tools that every client sees. */
export function createToolFinder(
  tools: readonly CallableTool[],
  listed: readonly string[],
): (name: string) => CallableTool {
  const byName = new Map(
    [...tools].reverse().flatMap((tool) => [
      [underscored(tool.name), tool],
      [tool.name, tool],
    ]),
  );
  return (name) => {
    const tool = byName.get(name);
    if (tool !== undefined) return tool;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: '${name}'. This server has ${listed.join(", ")}.`,
    );
  };
}
