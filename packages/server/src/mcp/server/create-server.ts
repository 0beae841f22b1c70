import {
  type McpRequestContext,
  type McpServer,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type Snapshot, type SnapshotSource, withoutDisabled } from "#skills";
import type { Services } from "../../services.ts";
import { asCaller } from "../../usage-records.ts";
import { createToolList, type ListTools } from "../definitions/tool-list.ts";
import { observeRequests } from "../observe/observe-requests.ts";
import { promptHandlers } from "../prompts/serve-prompts.ts";
import { resourceHandlers } from "../resources/serve-resources.ts";
import { createSubscriptions } from "../resources/subscriptions.ts";
import { createSkillsExtension } from "../skills-extension/skills-extension.ts";
import { announceChanges } from "./announce-changes.ts";
import {
  cacheHints,
  capabilitiesOf,
  instructionsNameSkills,
  LONGEST_HANDSHAKE_MS,
  listHint,
} from "./capabilities.ts";
import { checkParams } from "./check-params.ts";
import { followClient, followClientRoots } from "./client-of.ts";
import { completionHandlers } from "./completion.ts";
import {
  cancelledId,
  isRequest,
  MODERN_VERSION,
  PipedServer,
  type RequestHandlers,
  type Step,
} from "./pipeline.ts";
import { recordCalls } from "./record-calls.ts";
import { createToolHandlers } from "./serve-tools.ts";
import type { ServerSettings } from "./settings.ts";

/** What a server is made for. */
export interface SessionContext extends McpRequestContext {
  /** Whether the client is on another machine; not when absent. */
  readonly isRemote?: boolean;
  /** The profile that the client is served, if it is one of several. */
  readonly profile?: string;
  /** The one method that it will be asked for; any when absent. */
  readonly method?: string;
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

  return (context) => {
    const { era, authInfo, isRemote = false } = context;
    const mcp = new PipedServer(serverInfo, era === "modern" ? { ...options, ...MODERN } : options);
    const { server } = mcp;
    const { clientId: caller, scopes } = authInfo ?? {};
    const { client, step: following } = followClient(server);
    const disabled = settings.disabledByClient?.();
    const seenBy = (snapshot: Snapshot): Snapshot => withoutDisabled(snapshot, disabled?.(client()));
    const { skills, catalog, search } = disabled === undefined ? services : services.servedAs(seenBy);
    const own = asCaller(services, { subject: caller, client });
    const called = {
      ...skills,
      ...catalog,
      ...search,
      ...own.usage,
      // Made when it is used: most requests use no library.
      get library() {
        return own.library;
      },
    };
    // Not with the options: the SDK would add handlers of its own for each of them.
    server.registerCapabilities(capabilities);

    const method = methodOf(context);
    // Registering handlers that nobody will ask takes longer than answering.
    const serves = (prefix: string): boolean => method?.startsWith(prefix) ?? true;
    const subscriptions = era === "legacy" ? createSubscriptions(server, skills) : undefined;
    const handlers: RequestHandlers = {
      ...(serves("tools/") && toolHandlers(server, { services: called, scopes, isRemote })),
      ...(serves("resources/") && resourceHandlers(called)),
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
      observation && observeRequests(server, services.skills, observation, caller),
      following,
      checkParams(era, handlers),
      serves("server/") && instructionsNameSkills(settings) && liveInstructions(instructionsNow),
      services.auditLog.isOn() &&
        recordCalls(server, { skills: services.skills, auditLog: services.auditLog, caller, isRemote }),
    ];
    mcp.pipe(steps.filter(isStep), handlers);

    // A server for a single HTTP request announces nothing: the endpoint notifies subscribers.
    if (method === undefined) {
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

/** The SDK needs to be told of the newest version, except by its own HTTP entry. */
/** Over HTTP. */
export const SERVED_VERSIONS: readonly string[] = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN_VERSION];
const MODERN = { supportedProtocolVersions: [...SERVED_VERSIONS] };

/** In the modern era over HTTP a server is for one request: the header names its method, as the SDK has checked. */
function methodOf({ era, method, requestInfo }: SessionContext): string | undefined {
  if (method !== undefined || era === "legacy") return method;
  return requestInfo && (requestInfo.headers.get("mcp-method")?.trim() ?? "");
}

const HANDSHAKES: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/**
 * Makes the server's instructions depend on the client and on the skills at the moment of its handshake. The SDK takes
 * them as a constant, when a server is created and nobody has asked yet. Undefined leaves that constant in place.
 */
function liveInstructions(instructionsNow: () => Promise<string | undefined>): Step {
  const unanswered = new Set<RequestId>();
  return {
    receive(message, extra, next) {
      if (isRequest(message) && HANDSHAKES.has(message.method)) unanswered.add(message.id);
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) unanswered.delete(cancelled);
      next(message, extra);
    },
    async send(message, options, next) {
      if ("method" in message || message.id === undefined || !unanswered.has(message.id))
        return next(message, options);
      const instructions = "result" in message ? await instructionsNow() : undefined;
      // It may have been cancelled meanwhile.
      if (!unanswered.delete(message.id)) return undefined;
      if (instructions === undefined || !("result" in message)) return next(message, options);
      return next({ ...message, result: { ...message.result, instructions } }, options);
    },
  };
}
