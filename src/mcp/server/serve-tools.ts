import { type McpServer, ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import { clientOf } from "../clients/client-of.ts";
import { type Client, profileOf } from "../clients/profiles.ts";
import type { ListTools } from "../definitions/tool-list.ts";
import { underscored } from "../definitions/tool-sets.ts";
import { createToolFinder, toolsOf } from "../tools/all-tools.ts";
import type { ToolCall } from "../tools/tool.ts";
import { refusalResult } from "./refusal-result.ts";
import type { ServerSettings } from "./settings.ts";

/** Serves `tools/list` and `tools/call`. `scopes` are what the caller may do; undefined: everything. */
export function createToolServer(
  app: App,
  settings: ServerSettings,
  listTools: ListTools,
): (mcp: McpServer, scopes: readonly string[] | undefined) => void {
  const { log, tools, toolNames } = settings;
  const { always, auto } = tools;
  const shown = (names: readonly string[]): readonly string[] =>
    toolNames === "underscore" ? names.map(underscored) : names;
  const findTool = createToolFinder(toolsOf([...always, ...auto]), shown(always));

  return ({ server }, scopes) => {
    server.setRequestHandler("tools/list", async (_request, context) => {
      const { searchable, answer } = listTools(await app.snapshot(), clientOf(server, context), scopes);
      // A client that cannot see every skill will search for one.
      if (searchable) app.prepareSearch();
      return answer;
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = findTool(params.name);
      try {
        return await tool.call(app, params.arguments, toolCall(params, context, clientOf(server, context)));
      } catch (error) {
        logFailure(error, params.name, log);
        if (!(error instanceof Refusal)) throw error;
        if (error.detail.code === "unknown-skill") app.recordUnknownName(error.detail.name, tool.name);
        return refusalResult(error, (await app.snapshot()).catalog, shown([...always, ...auto]));
      }
    });
  };
}

function toolCall(
  params: { readonly _meta?: unknown },
  { mcpReq }: ServerContext,
  client: Client | undefined,
): ToolCall {
  const { signal } = mcpReq;
  const profile = profileOf(client);
  const progressToken = progressTokenIn(params._meta);
  if (progressToken === undefined) return { signal, profile };
  let progress = 0;
  return {
    signal,
    profile,
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
