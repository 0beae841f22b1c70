import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { App } from "../../app/create-app.ts";
import type { ToolName } from "../definitions/tool-sets.ts";

/** One MCP tool, as it is called. It knows no transport and no session. What clients are told of it is its `Definition`. */
export interface Tool {
  readonly name: ToolName;
  /** What calls are checked with. */
  readonly input: z.ZodType;
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
