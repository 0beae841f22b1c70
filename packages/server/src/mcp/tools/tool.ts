import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { int, string, type z } from "zod";
import type { ClientTraits } from "#agents";
import type { LibraryTools } from "#library";
import type { SearchResult } from "#search";
import type { Audience, SkillCatalog, Snapshot } from "#skills";
import type { Usage } from "#usage";
import type { ToolFacts } from "../definitions/definition.ts";

/** Everything that tools use of the server. Each handler names the two or three that it needs. */
export interface ToolServices extends Pick<Usage, "record"> {
  /** The current skills; waits for the first clone of a repository if no other skill has this name. */
  snapshotWith(name: string): Promise<Snapshot>;
  search(task: string, limit: number, audience: Audience): Promise<SearchResult>;
  listCatalog(wanted: {
    readonly query: string;
    readonly includeBody: boolean;
  }): ReturnType<SkillCatalog["list"]>;
  searchAllWords(wanted: {
    readonly query: string;
    readonly limit: number;
  }): ReturnType<SkillCatalog["search"]>;
  readonly library: LibraryTools;
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

/** What a tool file declares: what clients are told, and what a call does. It knows no transport and no session. */
export interface ToolDeclaration<Input extends z.ZodType> extends ToolFacts {
  /** Its place among the tools of its set, from 1. */
  readonly position: number;
  readonly title: string;
  /** May contain what `ToolDefinition` explains. */
  readonly description: string;
  readonly annotations: NonNullable<McpTool["annotations"]>;
  /** Words that the tool search of a client reads, besides the description. */
  readonly searchHint?: string;
  /** Whether it answers with whole files, which Claude Code would cut at 50,000 characters. */
  readonly largeAnswers?: true;
  /** Checks the arguments, and is what clients are told that the tool takes. */
  readonly input: Input;
  /** What `structuredContent` is; a union where there are several kinds of answers. */
  readonly output?: z.ZodType;
  /** What to do instead, for arguments that were refused. */
  readonly hint?: (args: unknown) => string | undefined;
  /** Throws a `Refusal` for a request that cannot be met. */
  handle(services: ToolServices, args: z.infer<Input>, call: ToolCall): Promise<CallToolResult>;
}

export interface Tool extends ToolDeclaration<z.ZodType> {
  /** Checks the arguments and handles the call. Throws a `ProtocolError` for bad arguments. */
  call(services: ToolServices, args: unknown, call: ToolCall): Promise<CallToolResult>;
}

/** One MCP tool. `npm run build` finds it in this folder by this call. */
export function defineTool<Input extends z.ZodType>(declaration: ToolDeclaration<Input>): Tool {
  const { name, input, hint, handle } = declaration;
  return {
    ...declaration,
    call: async (services, args, call) =>
      handle(services, parseArguments(name, input, args, hint?.(args)), call),
  };
}

/** The annotations of tools that only read the local disk. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A position in a file. No file that is served is longer. */
export const POSITION = int()
  .min(0)
  .max(16 * 1024 * 1024);

/**
 * The longest texts that tools take, in characters: a task, words that each skill is searched for, a path. Names and paths of
 * skills have no limit here, because longer ones are never looked up (`LONGEST_NAME`).
 */
export const LONGEST_TASK = 100_000;
export const LONGEST_QUERY = 2_000;
export const LONGEST_PATH = 4_096;

/** For the catalog tools, whose schemas are specified and name no maximum: it is checked, and not told beforehand. */
export const NOT_TOO_LONG = [
  (query: string): boolean => query.length <= LONGEST_QUERY,
  `at most ${LONGEST_QUERY} characters`,
] as const;

/** The field that `dataFor` adds. */
export const MESSAGE = { message: string().optional() };

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

/** The arguments of a call, checked; or the error -32602 that names the wrong parameter. */
function parseArguments<Input extends z.ZodType>(
  tool: string,
  schema: Input,
  args: unknown,
  hint: string | undefined,
): z.infer<Input> {
  const parsed = schema.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(describeIssue);
  const text = `Invalid arguments for tool '${tool}': ${reasons.join("; ")}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, hint === undefined ? text : `${text} ${hint}`);
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
