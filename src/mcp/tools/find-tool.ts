import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { underscored } from "../definitions/underscored.ts";
import type { Tool } from "./tool.ts";

/** Finds a tool by its name, with dots or underscores. `offered` are those that every client is told of. */
export function createToolFinder(tools: readonly Tool[], offered: readonly string[]): (name: string) => Tool {
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
      `Unknown tool: '${name}'. This server has ${offered.join(", ")}.`,
    );
  };
}
