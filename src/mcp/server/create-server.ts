import {
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import { createToolList, type ListTools } from "../definitions/tool-list.ts";
import { underscored } from "../definitions/underscored.ts";
import { createPromptNames } from "../prompts/prompt-names.ts";
import { servePrompts } from "../prompts/serve-prompts.ts";
import { createLibraryResources } from "../resources/library-resources.ts";
import { serveResources } from "../resources/serve-resources.ts";
import { createServedSkills } from "../resources/served-skills.ts";
import { serveSubscriptions } from "../resources/subscriptions.ts";
import { createSkillsExtension } from "../skills-extension/skills-extension.ts";
import { toolsOf } from "../tools/all-tools.ts";
import { createToolFinder } from "../tools/find-tool.ts";
import type { ToolCall } from "../tools/tool.ts";
import { announceChanges } from "./announce-changes.ts";
import { cacheHints, listHint } from "./cache-hints.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { followClientRoots } from "./client-roots.ts";
import { serveCompletion } from "./completion.ts";
import { refusalResult } from "./refusal-result.ts";
import type { ServerSettings } from "./settings.ts";

/**
 * Returns the one factory that serves every transport: each call makes a server for one session, and all of them
 * answer from the same app.
 */
export function createServerFactory(
  app: App,
  settings: ServerSettings,
  listTools: ListTools = createToolList(settings),
): (context: McpRequestContext) => McpServer {
  const { serverInfo, capabilities, instructions } = capabilitiesOf(settings);
  const { always, auto } = settings.tools;
  const shown = (names: readonly string[]): readonly string[] =>
    settings.toolNames === "underscore" ? names.map(underscored) : names;
  const findTool = createToolFinder(toolsOf([...always, ...auto]), shown(always));

  const servedSkills = createServedSkills();
  const resourceDeps = { app, servedSkills, libraryResources: createLibraryResources() };
  const promptDeps = { app, promptNames: createPromptNames() };
  const { log, prompts = true } = settings;
  const extension = createSkillsExtension({ app, servedSkills, cacheHint: listHint(settings), log });
  const options = { instructions, cacheHints: cacheHints(settings) };

  const serveTools = (mcp: McpServer, scopes: readonly string[] | undefined): void => {
    mcp.server.setRequestHandler("tools/list", async (_request, context) => {
      const snapshot = await app.snapshot();
      const { searchable, answer } = listTools(snapshot, clientName(mcp, context), scopes);
      // Whoever cannot see every skill will search for one.
      if (searchable) app.prepareSearch();
      return answer;
    });
    mcp.server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = findTool(params.name);
      try {
        return await tool.call(app, params.arguments, toolCall(params, context));
      } catch (error) {
        logFailure(error, params.name, settings.log);
        if (error instanceof Refusal)
          return refusalResult(error, (await app.snapshot()).catalog, shown([...always, ...auto]));
        throw error;
      }
    });
  };

  return ({ era, requestInfo, authInfo }) => {
    const mcp = new McpServer(serverInfo, options);
    const { server } = mcp;
    // Not with the options: the SDK would make handlers of its own for each of them.
    server.registerCapabilities(capabilities);
    const serves = askedFor(era, requestInfo);
    if (serves("tools/")) serveTools(mcp, authInfo?.scopes);
    if (serves("skills/") || serves("resources/directory/")) extension.attach(server, era);
    if (serves("resources/")) serveResources(server, resourceDeps);
    if (serves("prompts/") && prompts) servePrompts(server, promptDeps);
    if (serves("completion/")) serveCompletion(server, promptDeps);

    const legacy = era === "legacy";
    // A server that answers a single request over HTTP tells nobody: those who subscribed are told by the endpoint.
    if (legacy || requestInfo === undefined) {
      announceChanges(mcp, app, {
        era,
        prompts,
        onInitialized:
          legacy && settings.clientRoots === true ? followClientRoots(server, app, log) : () => {},
        onClose: legacy ? serveSubscriptions(server, resourceDeps) : () => {},
      });
    }
    return mcp;
  };
}

/** How the work that a call asks for is ended and watched. */
function toolCall(params: { readonly _meta?: unknown }, { mcpReq }: ServerContext): ToolCall {
  const { signal } = mcpReq;
  const token = progressToken(params._meta);
  if (token === undefined) return { signal };
  let progress = 0;
  return {
    signal,
    progress(message) {
      const params = { progressToken: token, progress: ++progress, message };
      // Whoever no longer listens does not need to be told.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

function progressToken(meta: unknown): string | number | undefined {
  if (typeof meta !== "object" || meta === null || !("progressToken" in meta)) return undefined;
  const { progressToken: token } = meta;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}

/**
 * Which methods a server is asked for. In the modern era over HTTP that is a single one, which the header names and the SDK
 * has compared with the body: making the handlers of all the others took longer than answering.
 */
function askedFor(
  era: McpRequestContext["era"],
  requestInfo: McpRequestContext["requestInfo"],
): (prefix: string) => boolean {
  const method = era === "modern" ? requestInfo?.headers.get("mcp-method") : undefined;
  return (prefix) => method?.trim().startsWith(prefix) ?? true;
}

/** A name that was mistyped is between the client and us; a file that cannot be read, or a bug, is the operator's. */
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

/** The client says who it is in `initialize` or, in the modern era, with every request. */
function clientName(mcp: McpServer, context: ServerContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY];
  if (typeof info === "object" && info !== null && "name" in info && typeof info.name === "string")
    return info.name;
  return mcp.server.getClientVersion()?.name;
}
