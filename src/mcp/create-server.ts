import {
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool as ToolDefinition,
} from "@modelcontextprotocol/server";
import type { App } from "../app/create-app.ts";
import { Refusal } from "../skill/refusal.ts";
import { VERSION } from "../version.ts";
import { announceChanges } from "./announce-changes.ts";
import { cacheHints, listHint } from "./cache-hints.ts";
import { descriptionBudgetFor } from "./client-budget.ts";
import { followClientRoots } from "./client-roots.ts";
import { serveCompletion } from "./completion.ts";
import { createDescriber } from "./described-skills.ts";
import { createPromptNames } from "./prompts/prompt-names.ts";
import { servePrompts } from "./prompts/serve-prompts.ts";
import { refusalResult } from "./refusal-result.ts";
import { createLibraryResources } from "./resources/library-resources.ts";
import { serveResources } from "./resources/serve-resources.ts";
import { createServedSkills } from "./resources/served-skills.ts";
import { serveSubscriptions } from "./resources/subscriptions.ts";
import type { ServerSettings } from "./settings.ts";
import { createSkillsExtension, SKILLS_CAPABILITY } from "./skills-extension/skills-extension.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { mayCall } from "./tool-scopes.ts";
import { findSkillsTool } from "./tools/find-skills.ts";

/**
 * Returns the one factory that serves every transport: each call makes a server for one session, and all of them
 * answer from the same app.
 */
export function createServerFactory(
  app: App,
  settings: ServerSettings,
): (context: McpRequestContext) => McpServer {
  const describe = createDescriber();
  const { always, auto } = settings.tools;
  const finder = [...always, ...auto].includes(findSkillsTool);
  const instructions = [...new Set([...always, ...auto].map((tool) => tool.guidance))].join(" ");

  const servedSkills = createServedSkills();
  const resourceDeps = { app, servedSkills, libraryResources: createLibraryResources() };
  const promptDeps = { app, promptNames: createPromptNames() };
  const { log, prompts = true, announcesChanges: listChanged } = settings;
  const extension = createSkillsExtension({ app, servedSkills, cacheHint: listHint(settings), log });
  const options = {
    instructions,
    capabilities: {
      tools: { listChanged },
      resources: { listChanged, subscribe: listChanged },
      ...(prompts ? { prompts: { listChanged } } : {}),
      completions: {},
      extensions: SKILLS_CAPABILITY,
    },
    cacheHints: cacheHints(settings),
  };

  return ({ era, requestInfo, authInfo }) => {
    const mcp = new McpServer({ name: "skills-mcp", title: "Skills", version: VERSION }, options);
    const { server } = mcp;
    extension.attach(server, era);
    serveResources(server, resourceDeps);
    if (prompts) servePrompts(server, promptDeps);
    serveCompletion(server, promptDeps);

    server.setRequestHandler("tools/list", async (_request, context) => {
      const snapshot = await app.snapshot();
      const budget = settings.descriptionBudget ?? descriptionBudgetFor(clientName(mcp, context));
      const described = describe(snapshot.catalog, { format: settings.descriptionFormat, budget, finder });
      const listed = (described.complete ? always : [...always, ...auto]).filter(({ name }) =>
        mayCall(name, authInfo?.scopes),
      );
      // Whoever cannot see every skill will search for one.
      if (listed.includes(findSkillsTool)) app.prepareSearch();
      return { tools: listed.map((tool) => named(tool, settings, tool.definition({ snapshot, described }))) };
    });

    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = findTool([...always, ...auto], params.name);
      try {
        return await tool.call(app, params.arguments, toolCall(params, context));
      } catch (error) {
        logFailure(error, params.name, settings.log);
        if (error instanceof Refusal) return refusalResult(error, (await app.snapshot()).catalog);
        throw error;
      }
    });

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

/** Some model APIs reject dots in the names of tools, and with one of them the whole list. */
function named(tool: Tool, settings: ServerSettings, definition: ToolDefinition): ToolDefinition {
  return settings.toolNames === "underscore" ? { ...definition, name: underscored(tool.name) } : definition;
}

function underscored(name: string): string {
  return name.replaceAll(".", "_");
}

/** A name that was mistyped is between the client and us; a file that cannot be read, or a bug, is the operator's. */
function logFailure(error: unknown, tool: string, log: (line: string) => void): void {
  if (error instanceof ProtocolError) return;
  if (error instanceof Refusal) {
    if (error.detail.code === "unreadable-skill") log(error.message);
    return;
  }
  log(
    `the tool '${tool}' failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
}

function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name || underscored(candidate.name) === name);
  if (tool !== undefined) return tool;
  const known = tools.map((candidate) => candidate.name).join(", ");
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: '${name}'. This server has ${known}.`,
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
