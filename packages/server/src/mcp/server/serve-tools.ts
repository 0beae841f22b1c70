import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { traitsOf } from "#agents";
import type { Log } from "#util";
import { memoizeWeak, Refusal } from "#util/pure";
import type { Search, Skills, UsageRecords } from "../../services.ts";
import type { ToolName } from "../definitions/tool-definitions.generated.ts";
import type { ListTools } from "../definitions/tool-list.ts";
import { type ToolSelection, underscored } from "../definitions/tool-sets.ts";
import type { Tool, ToolCall, ToolServices } from "../tools/tool.ts";
import { TOOLS } from "../tools/tools.generated.ts";
import { clientOf } from "./client-of.ts";
import type { RequestHandlers } from "./pipeline.ts";
import { refusalResult } from "./refusal-result.ts";
import type { ServerSettings } from "./settings.ts";

/** Everything that tools use, as the caller sees it. */
interface CallerServices
  extends ToolServices,
    Pick<Skills, "snapshot">,
    Pick<Search, "prepareSearch">,
    Pick<UsageRecords, "recordUnknownName"> {}

/** Who calls tools. */
interface ToolCaller {
  readonly services: CallerServices;
  /** What it may do; undefined: everything. */
  readonly scopes: readonly string[] | undefined;
  /** Whether it is on another machine. */
  readonly isRemote: boolean;
}

/** What answers `tools/list` and `tools/call`. */
export function createToolHandlers(
  settings: ServerSettings,
  listTools: ListTools,
): (server: Server, caller: ToolCaller) => RequestHandlers {
  const { log } = settings;
  const shown = (names: readonly string[]): readonly string[] =>
    settings.toolNames === "underscore" ? names.map(underscored) : names;
  // On stdio, other settings may choose other tools while the client is connected.
  const finderOf = memoizeWeak(({ always, auto }: ToolSelection) =>
    createToolFinder(toolsOf([...always, ...auto]), shown(always)),
  );

  return (server, { services, scopes, isRemote }) => ({
    "tools/list": async (_request, context) => {
      const client = clientOf(server, context);
      const { searchable, answer } = listTools(await services.snapshot(), client, scopes, isRemote);
      // A client that cannot see every skill will search for one.
      if (searchable) services.prepareSearch();
      return answer;
    },
    "tools/call": async ({ params }, context) => {
      const tool = finderOf(settings.tools)(params.name);
      const client = clientOf(server, context);
      const traits = traitsOf(client);
      try {
        const caller = { traits, isRemote };
        return await tool.call(services, params.arguments, toolCall(params, context, caller));
      } catch (error) {
        logFailure(error, params.name, log);
        if (!(error instanceof Refusal)) throw error;
        if (error.detail.code === "unknown-skill") services.recordUnknownName(error.detail.name, tool.name);
        const snapshot = await services.snapshot();
        const { answer } = listTools(snapshot, client, scopes, isRemote);
        const tools = answer.tools.map(({ name }) => name);
        return refusalResult(error, { catalog: snapshot.catalog, tools, answerLimit: traits.answerLimit });
      }
    },
  });
}

function toolCall(
  params: { readonly _meta?: unknown },
  { mcpReq }: ServerContext,
  caller: Pick<ToolCall, "traits" | "isRemote">,
): ToolCall {
  const { signal } = mcpReq;
  const progressToken = progressTokenIn(params._meta);
  if (progressToken === undefined) return { signal, ...caller };
  let progress = 0;
  return {
    signal,
    ...caller,
    progress(message) {
      const notice = { progressToken, progress: ++progress, message };
      // A client that has disconnected does not need it.
      mcpReq.notify({ method: "notifications/progress", params: notice }).catch(() => {});
    },
  };
}

function progressTokenIn(meta: unknown): string | number | undefined {
  if (typeof meta !== "object" || meta === null || !("progressToken" in meta)) return undefined;
  const { progressToken } = meta;
  return typeof progressToken === "string" || typeof progressToken === "number" ? progressToken : undefined;
}

/** A mistyped name concerns only the client; an unreadable file or a bug concerns the operator. */
function logFailure(error: unknown, tool: string, log: Log): void {
  if (error instanceof ProtocolError) return;
  if (error instanceof Refusal) {
    if (error.detail.code === "unreadable-skill") log.warn(error.message);
    return;
  }
  log.error(
    `the tool '${tool}' failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
}

/** A tool that is loaded when it is first called. */
type CallableTool = Pick<Tool, "name" | "call">;

export function toolsOf(names: readonly ToolName[]): readonly CallableTool[] {
  return names.map((name) => ({
    name,
    call: async (...given) => (await TOOLS[name]()).call(...given),
  }));
}

/** Finds a tool by its name, with dots or underscores. `listed` are the tools that every client sees. */
export function createToolFinder(
  tools: readonly CallableTool[],
  listed: readonly string[],
): (name: string) => CallableTool {
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
      `Unknown tool: '${name}'. This server has ${listed.join(", ")}.`,
    );
  };
}
