import { type McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { restrictApp, withoutSkills } from "../../app/skills/withheld-skills.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { followClient } from "../clients/client-of.ts";
import type { WithheldFor } from "../clients/withheld.ts";
import { createToolList, type ListTools } from "../definitions/tool-list.ts";
import { servePrompts } from "../prompts/serve-prompts.ts";
import { serveResources } from "../resources/serve-resources.ts";
import { serveSubscriptions } from "../resources/subscriptions.ts";
import { createSkillsExtension } from "../skills-extension/skills-extension.ts";
import { announceChanges } from "./announce-changes.ts";
import { cacheHints, listHint } from "./cache-hints.ts";
import { capabilitiesOf, instructionsNameSkills } from "./capabilities.ts";
import { followClientRoots } from "./client-roots.ts";
import { serveCompletion } from "./completion.ts";
import { answerWithInstructions } from "./live-instructions.ts";
import { createToolServer } from "./serve-tools.ts";
import type { ServerSettings } from "./settings.ts";

/** What a server is made for. */
export interface SessionContext extends McpRequestContext {
  /** Whether the client is on another machine; not when absent. */
  readonly isRemote?: boolean;
}

/**
 * Returns the one factory that serves every transport: each call makes a server for one session, and all of them
 * answer from the same app.
 */
export function createServerFactory(
  app: App,
  settings: ServerSettings,
  listTools: ListTools = createToolList(settings, app.recentSkills),
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
    const withheldFor = settings.withheld?.();
    const view = withheldFor === undefined ? app : viewOfClient(app, server, withheldFor);
    // Not with the options: the SDK would add handlers of its own for each of them.
    server.registerCapabilities(capabilities);
    const serves = requestedMethods(era, requestInfo);
    if (serves("server/") && instructionsNameSkills(settings))
      answerWithInstructions(mcp, async (client) => {
        const snapshot = await snapshotSoon(app);
        const seen = snapshot && withoutSkills(snapshot, withheldFor?.(client));
        return seen && listTools(seen, client, authInfo?.scopes, isRemote).instructions;
      });
    if (serves("tools/")) serveTools(mcp, { app: view, scopes: authInfo?.scopes, isRemote });
    if (serves("skills/") || serves("resources/directory/")) extensionOf(view).attach(server, era);
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

/** What one client is served. It is not known before its first request. */
function viewOfClient(app: App, server: McpServer["server"], withheldFor: WithheldFor): App {
  const client = followClient(server);
  return restrictApp(app, () => withheldFor(client()));
}

/** A client waits for its handshake no longer than this; the instructions then name no skills. */
const LONGEST_WAIT_MS = 500;

/** Undefined when the first scan takes too long or fails, which is reported to the first request that needs it. */
function snapshotSoon(app: App): Promise<Snapshot | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), LONGEST_WAIT_MS).unref();
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
