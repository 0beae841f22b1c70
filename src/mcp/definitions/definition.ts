import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { Description } from "../../catalog/describe/fit-description.ts";
import type { Snapshot } from "../../registry/registry.ts";

/** What a definition depends on. */
interface ListContext {
  readonly snapshot: Snapshot;
  readonly described: Description;
}

/**
 * How clients see a tool. It is written by hand instead of derived from the schema that checks calls, so that a list can
 * be answered before that code is loaded; a test compares the two.
 */
export type Definition = (context: ListContext) => Omit<ToolDefinition, "name">;

/** The annotations of tools that only read the local disk. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
