import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { Snapshot, SnapshotSource } from "#skills";
import { withoutDisabled } from "#skills";
import { asCaller } from "../../as-caller.ts";
import type { Services } from "../../compose.ts";
import { createToolList, type ListTools } from "../definitions/tool-list.ts";
import { observeRequests } from "../observe/observe-requests.ts";
import { promptHandlers } from "../prompts/serve-prompts.ts";
import { resourceHandlers } from "../resources/serve-resources.ts";
import { createSubscriptions } from "../resources/subscriptions.ts";
import { createSkillsExtension } from "../skills-extension/skills-extension.ts";
import { announceChanges } from "./announce-changes.ts";
import { cacheHints, listHint } from "./cache-hints.ts";
import { capabilitiesOf, instructionsNameSkills, LONGEST_HANDSHAKE_MS } from "./capabilities.ts";
import { checkParams } from "./check-params.ts";
import { followClient } from "./client-of.ts";
import { followClientRoots } from "./client-roots.ts";
import { completionHandlers } from "./completion.ts";
import { liveInstructions } from "./live-instructions.ts";
import { type Handlers, PipedServer, type Step } from "./pipeline.ts";
import { recordCalls } from "./record-calls.ts";
import { createToolHandlers } from "./serve-tools.ts";
import type { ServerSettings } from "./settings.ts";

/** What a server is made for. */
export interface SessionContext extends McpRequestContext {
  /** Whether the client is on another machine; not when absent. */
  readonly isRemote?: boolean;
  /** The profile that the client is served, if it is one of several. */
  readonly profile?: string;
  /** The step of the pipeline that is the nearest to the client; none when absent. */
  readonly outermost?: Step;
}

/** What MCP servers are made of. */
export type McpServices = Pick<
  Services,
  | "skills"
  | "catalog"
  | "search"
  | "servedAs"
  | "libraryOf"
  | "library"
  | "usage"
  | "auditLog"
  | "setWorkspaces"
>;

/**
 * Returns the one factory that serves every transport: each call makes a server for one session, and all of them
 * answer from the same services.
 */
export function createServerFactory(
  services: McpServices,
  settings: ServerSettings,
  listTools: ListTools = createToolList(settings, services.usage.likelyUse),
): (context: SessionContext) => McpServer {
  const { serverInfo, capabilities, instructions } = capabilitiesOf(settings);
  const { log, prompts = true, leaveOut = [], observation } = settings;
  const toolHandlers = createToolHandlers(settings, listTools);
  const createExtension = ({ snapshot }: Pick<Services["skills"], "snapshot">) => {
    const { library, usage } = services;
    const skills = { snapshot, library, record: usage.record };
    return createSkillsExtension({ skills, cacheHint: listHint(settings), log });
  };
  const shared = createExtension(services.skills);
  const options = {
    ...(instructions === undefined ? {} : { instructions }),
    cacheHints: cacheHints(settings),
  };

  return ({ era, requestInfo, authInfo, isRemote = false, outermost }) => {
    const mcp = new PipedServer(serverInfo, options);
    const { server } = mcp;
    const { clientId: caller, scopes } = authInfo ?? {};
    const { client, step: following } = followClient(server);
    const disabled = settings.disabledByClient?.();
    const seenBy = (snapshot: Snapshot): Snapshot => withoutDisabled(snapshot, disabled?.(client()));
    const { skills, catalog, search } = disabled === undefined ? services : services.servedAs(seenBy);
    const { usage, library } = asCaller(services, { subject: caller, client });
    const { record, recordUnknownName } = usage;
    const readable = { snapshot: skills.snapshot, library, record };
    // Not with the options: the SDK would add handlers of its own for each of them.
    server.registerCapabilities(capabilities);

    const serves = requestedMethods(era, requestInfo);
    const subscriptions = era === "legacy" ? createSubscriptions(server, skills) : undefined;
    const called = { ...skills, ...catalog, ...search, library, record, recordUnknownName };
    const handlers: Handlers = {
      ...(serves("tools/") && toolHandlers(server, { services: called, scopes, isRemote })),
      ...(serves("resources/") && resourceHandlers(readable)),
      ...(serves("prompts/") && prompts && promptHandlers(server, called, { isRemote, leaveOut })),
      ...(serves("completion/") && completionHandlers(skills)),
      ...subscriptions?.handlers,
    };
    if (serves("skills/") || serves("resources/directory/"))
      (skills === services.skills ? shared : createExtension(skills)).attach(server, era);

    const instructionsNow = async (): Promise<string | undefined> => {
      const snapshot = await snapshotSoon(services.skills);
      return snapshot && listTools(seenBy(snapshot), client(), scopes, isRemote).instructions;
    };
    // From the client to the handlers.
    const steps = [
      outermost,
      observation && observeRequests(server, services.skills, observation, caller),
      following,
      checkParams(era, handlers),
      serves("server/") && instructionsNameSkills(settings) && liveInstructions(instructionsNow),
      services.auditLog.isOn() &&
        recordCalls(server, { skills: services.skills, auditLog: services.auditLog, caller, isRemote }),
    ];
    mcp.pipe(steps.filter(isStep), handlers);

    // A server for a single HTTP request announces nothing: the endpoint notifies subscribers.
    if (era === "legacy" || requestInfo === undefined) {
      const followRoots = era === "legacy" && settings.clientRoots === true;
      announceChanges(mcp, services.skills, {
        era,
        onInitialized: followRoots ? followClientRoots(server, services.setWorkspaces, log) : () => {},
        onClose: () => subscriptions?.stop(),
      });
    }
    return mcp;
  };
}

function isStep(step: Step | false | undefined): step is Step {
  return step !== undefined && step !== false;
}

/** Undefined when the first scan takes too long or fails, which is reported to the first request that needs it. */
function snapshotSoon(skills: Pick<SnapshotSource, "snapshot">): Promise<Snapshot | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), LONGEST_HANDSHAKE_MS).unref();
  });
  return Promise.race([skills.snapshot().catch(() => undefined), timeout]);
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
