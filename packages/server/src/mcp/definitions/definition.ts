import type { Tool as McpTool } from "@modelcontextprotocol/server";

/** The sets of tools in the order that they are listed in, each with its sentence in the server's instructions. */
export const TOOL_SETS = {
  loader:
    "Skills are instructions for particular tasks. Before you begin a task, check the list in the `skill` tool's description; if one fits, load it with `skill` and follow it.",
  catalog: "Prefer `skills.list` for exhaustive metadata and `skills.search` for targeted lookups.",
  finder: "When `find_skills` is listed, use it to search all skills by task.",
  library:
    "For a development task, call `get_skill` with a description of it and follow the rules it returns; `list_skills` shows all of them.",
} as const;

export type ToolSet = keyof typeof TOOL_SETS;

/** What decides where a tool is listed and who may call it. A tool file declares it. */
export interface ToolFacts {
  readonly name: string;
  readonly set: ToolSet;
  /** The scope that a caller over the network needs; `skills:read` when absent. */
  readonly scope?: "skills:run" | "skills:admin";
  /**
   * When a tool that nobody asked for by name is listed: where the client cannot open a skill's files itself, or where the list
   * of skills is cut. Always when absent.
   */
  readonly listedWhen?: "files-unreachable" | "list-cut";
  /** Shown to the model from the start where a client defers tools until a search finds them: always, or where the list is cut. */
  readonly alwaysLoad?: true | "list-cut";
  /** The parameter that is the name of a skill: its schema lists the names where a client sees every skill. */
  readonly skillParameter?: string;
}

/**
 * What clients are told of a tool. It is generated from the tool file, so that a list can be answered before zod and the MCP SDK
 * are loaded. `{skills}`, `{count}` and `{orGetSkill}` in its description stand for what depends on the skills (tool-list.ts).
 */
export type ToolDefinition = Omit<McpTool, "name">;

/** The `_meta` of a tool that Claude Code shows to the model from the start. */
export const ALWAYS_LOADED = { "anthropic/alwaysLoad": true } as const;
