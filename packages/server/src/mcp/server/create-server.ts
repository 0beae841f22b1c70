import { type McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { Snapshot } from "#skills";
import { withoutSkills } from "#skills";
import { asCaller } from "../../as-caller.ts";
import type { App } from "../../create-app.ts";
import { restrictApp } from "../../restrict-app.ts";
import { createToolList, type ListTools } from "../definitions/tool-list.ts";
import { observeRequests } from "../observe/observe-requests.ts";
import { servePrompts } from "../prompts/serve-prompts.ts";
import { serveResources } from "../resources/serve-resources.ts";
import { serveSubscriptions } from "../resources/subscriptions.ts";
import { createSkillsExtension } from "../skills-extension/skills-extension.ts";
import { announceChanges } from "./announce-changes.ts";
import { cacheHints, listHint } from "./cache-hints.ts";
import { capabilitiesOf, instructionsNameSkills, LONGEST_HANDSHAKE_MS } from "./capabilities.ts";
import { checkParams } from "./check-params.ts";
import { followClient } from "./client-of.ts";
import { followClientRoots } from "./client-roots.ts";
import { serveCompletion } from "./completion.ts";
import { answerWithInstructions } from "./live-instructions.ts";
import { recordCalls } from "./record-calls.ts";
import { createToolServer } from "./serve-tools.ts";
import type { ServerSettings } from "./settings.ts";

/** What a server is made for. */
export interface SessionContext extends McpRequestContext {
  /** Whether the client is on another machine; not when absent. */
  readonly isRemote?: boolean;
  /** The profile that the client is served, if it is one of several. */
  readonly profile?: string;
}

/**
 * Returns the one factory that serves every transport: each call makes a server for one session, and all of them
 * answer from the same app.
 */
export function createServerFactory(
  app: App,
  settings: ServerSettings,
  listTools: ListTools = createToolList(settings, app.likelyUse),
): (context: SessionContext) => McpServer {
  const { serverInfo, capabilities, instructions } = capabilitiesOf(settings);
  const { log, prompts = true } = settings;
  const serveTools = createToolServer(settings, listTools);
  const createExtension = (seen: App) =>
    createSkillsExtension({ app: seen, cacheHint: listHint(settings), log });
  const shared = createExtension(app);
  const extensionOf = (seen: App) => (seen === app ? shared : createExtension(seen));
  const options = {
    ...(instructions === undefined ? {} : { instructions }),
    cacheHints: cacheHints(settings),
  };

  return ({ era, requestInfo, authInfo, isRemote = false }) => {
    const mcp = new McpServer(serverInfo, options);
    const { server } = mcp;
    const client = followClient(server);
    const withheldFor = settings.withheld?.();
    const served = withheldFor === undefined ? app : restrictApp(app, () => withheldFor(client()));
    const view = asCaller(served, { subject: authInfo?.clientId, client });
    if (settings.observation !== undefined)
      observeRequests(server, app, settings.observation, authInfo?.clientId);
    checkParams(server);
    if (app.auditLog.isOn()) recordCalls(server, app, { caller: authInfo?.clientId, isRemote });
    // Not with the options: the SDK would add handlers of its own for each of them.
    server.registerCapabilities(capabilities);
    const serves = requestedMethods(era, requestInfo);
    if (serves("server/") && instructionsNameSkills(settings))
      answerWithInstructions(mcp, async (asking) => {
        const snapshot = await snapshotSoon(app);
        const seen = snapshot && withoutSkills(snapshot, withheldFor?.(asking));
        return seen && listTools(seen, asking, authInfo?.scopes, isRemote).instructions;
      });
    if (serves("tools/")) serveTools(mcp, { app: view, scopes: authInfo?.scopes, isRemote });
    if (serves("skills/") || serves("resources/directory/")) extensionOf(served).attach(server, era);
    if (serves("resources/")) serveResources(server, view);
    if (serves("prompts/") && prompts)
      servePrompts(server, view, { isRemote, leaveOut: settings.leaveOut ?? [] });
    if (serves("completion/")) serveCompletion(server, view);

    const legacy = era === "legacy";
    // A server for a single HTTP request announces nothing: the endpoint notifies subscribers.
    if (legacy || requestInfo === undefined) {
      const followRoots = legacy && settings.clientRoots === true;
      announceChanges(mcp, app, {
        era,
        prompts,
        onInitialized: followRoots ? followClientRoots(server, app, log) : () => {},
        onClose: legacy ? serveSubscriptions(server, view) : () => {},
      });
    }
    return mcp;
  };
}

/** Undefined when the first scan takes too long or fails, which is reported to the first request that needs it. */
function snapshotSoon(app: App): Promise<Snapshot | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), LONGEST_HANDSHAKE_MS).unref();
  });
  return Promise.race([app.snapshot().catch(() => undefined), timeout]);
}

/**
 * Which methods a server needs handlers for. In the modern era over HTTP that is a single one, which the header names and
 * the SDK has compared with the body: registering all other handlers took longer than answering.
 */
function requestedMethods(
  era: McpRequestContext["era"],
  requestInfo: McpRequestContext["requestInfo"],
): (prefix: string) => boolean {
  const method = era === "modern" ? requestInfo?.headers.get("mcp-method") : undefined;
  return (prefix) => method?.trim().startsWith(prefix) ?? true;
}
