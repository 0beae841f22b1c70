import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { ClientTraits } from "#agents";
import type { App } from "../../create-app.ts";
import type { ToolName } from "../definitions/tool-sets.ts";

/** One MCP tool, as it is called. It knows no transport and no session. How clients see it is its `Definition`. */
export interface Tool {
  readonly name: ToolName;
  /** Checks the arguments. */
  readonly input: z.ZodType;
  /** Throws a `Refusal` for a request that cannot be met and a `ProtocolError` for bad arguments. */
  call(app: App, args: unknown, call: ToolCall): Promise<CallToolResult>;
}

/** What comes with a call besides its arguments. */
export interface ToolCall {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** What is known of the client that calls. */
  readonly traits: ClientTraits;
  /** Whether it is on another machine, where paths of this one lead nowhere. */
  readonly isRemote: boolean;
  /** Reports progress to the client; absent when it did not ask for it. */
  readonly progress?: (message: string) => void;
}

/** The arguments of a call, checked; or the error -32602 that names the wrong parameter. */
export function parseArguments<T>(tool: string, schema: z.ZodType<T>, args: unknown, hint?: string): T {
  const parsed = schema.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(describeIssue);
  const text = `Invalid arguments for tool '${tool}': ${reasons.join("; ")}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, hint === undefined ? text : `${text} ${hint}`);
}

/**
 * The data of an answer. Some clients show a model the data and not the text, so for them it includes what only the text
 * says.
 */
export function dataFor(
  { structuredReplacesText }: ClientTraits,
  data: Readonly<Record<string, unknown>>,
  message: string,
): Record<string, unknown> {
  return structuredReplacesText ? { message, ...data } : { ...data };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return `unknown parameter ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
  }
  const parameter = issue.path.join(".");
  if (parameter === "") return "the arguments must be an object";
  if (issue.code === "invalid_type" && issue.input === undefined) return `'${parameter}' is required`;
  return `'${parameter}': ${issue.message}`;
}
