import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { Snapshot } from "../../registry/registry.ts";
import type { DescribedSkills } from "./described-skills.ts";

/** What a tool may know when it is listed: the skills, and the client that asked. */
interface ListContext {
  readonly snapshot: Snapshot;
  readonly described: DescribedSkills;
}

/**
 * What clients are told of a tool. It is written down instead of made of the schema that checks calls, so that a list can be
 * answered before the libraries that check them are loaded; a test holds the two together.
 */
export type Definition = (context: ListContext) => Omit<ToolDefinition, "name">;

/** The annotations of tools that only read the local disk. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
