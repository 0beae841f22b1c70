import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { Catalogue, Snapshot } from "#skills";

/** What a definition depends on. */
interface ListContext {
  readonly snapshot: Snapshot;
  readonly catalogue: Catalogue;
  /** The only names that load a skill; undefined where there are others, or too many. */
  readonly names: readonly string[] | undefined;
}

/**
 * How clients see a tool. It is written by hand instead of derived from the schema that checks calls, so that a list can
 * be answered before that code is loaded; a test compares the two.
 */
export type Definition = (context: ListContext) => Omit<ToolDefinition, "name">;

/** Claude Code shows up to this many characters of an answer, instead of 50,000. */
const LARGEST_ANSWER = 500_000;

/** For tools that answer with whole files. */
export const LARGE_ANSWERS = { "anthropic/maxResultSizeChars": LARGEST_ANSWER } as const;

/** Shown to the model from the start, where a client defers tools until a search finds them. */
export const ALWAYS_LOADED = { "anthropic/alwaysLoad": true } as const;

/** Words that the tool search of a client reads, besides the description. */
export function searchHint(words: string) {
  return { "anthropic/searchHint": words } as const;
}

/** The annotations of tools that only read the local disk. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
