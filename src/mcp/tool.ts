import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { App } from "../app/create-app.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { DescribedSkills } from "./described-skills.ts";

/** What a tool may know when it is listed: the skills, and the client that asked. */
interface ListContext {
  readonly snapshot: Snapshot;
  readonly described: DescribedSkills;
}

/** One MCP tool. It knows no transport and no session. */
export interface Tool {
  readonly name: string;
  definition(context: ListContext): ToolDefinition;
  /** Throws a `Refusal` for what cannot be met and a `ProtocolError` for bad arguments. */
  call(app: App, args: unknown, call: ToolCall): Promise<CallToolResult>;
}

/** What comes with a call besides its arguments. */
export interface ToolCall {
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is; absent when it did not ask. */
  readonly progress?: (message: string) => void;
}
