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
  /** What the server's instructions say about it. Tools of one set share a sentence. */
  readonly guidance: string;
  definition(context: ListContext): ToolDefinition;
  /** Throws a `Refusal` for what cannot be met and a `ProtocolError` for bad arguments. */
  call(app: App, args: unknown): Promise<CallToolResult>;
}
