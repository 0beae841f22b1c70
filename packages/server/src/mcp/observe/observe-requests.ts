import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  type MessageExtraInfo,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from "@modelcontextprotocol/server";
import type { SnapshotSource } from "#skills";
import type { ObservedRequest, ObserveRequest, RequestOutcome } from "#util";
import type { Step } from "../server/pipeline.ts";
import {
  cancelledId,
  clientIn,
  clientInMeta,
  fieldsOf,
  httpRequestIdOf,
  isRequest,
  metaOf,
  textOf,
} from "../server/pipeline.ts";
import { isAboutSkills, knownTool, skillUse } from "./skill-use.ts";

/** Who watches the requests of a process. */
export interface RequestObservation {
  readonly observe: ObserveRequest;
  readonly transport: ObservedRequest["transport"];
  /** When a request arrived that was answered before there was a server, and when it was answered. */
  readonly answeredEarly?: (
    id: RequestId,
  ) => { readonly startedAt: number; readonly durationMs: number } | undefined;
}

type Server = McpServer["server"];

interface OpenRequest {
  readonly request: ObservedRequest;
  readonly watch: ReturnType<ObserveRequest>;
  readonly began: number;
}

/** The SDK may drop a request of the wrong era without an answer: a client must not fill the memory with them. */
const MOST_OPEN = 1_000;

/** Reports every request of a connection and how it was answered, whatever answers it: our handlers, or the SDK with an error. */
export function observeRequests(
  server: Server,
  skills: Pick<SnapshotSource, "snapshot">,
  observation: RequestObservation,
  caller: string | undefined,
): Step {
  const { observe, transport, answeredEarly } = observation;
  /** The requests that are not answered yet. */
  const open = new Map<RequestId, OpenRequest>();
  /** Over HTTP, what comes alone is repeated by us: the client sent it to another replica. */
  const isOfClient = (extra: MessageExtraInfo | undefined): boolean =>
    transport === "pipe" || extra !== undefined;
  const begin = (
    message: JSONRPCRequest,
    extra: MessageExtraInfo | undefined,
  ): ReturnType<ObserveRequest> => {
    const { startedAt = Date.now() } = answeredEarly?.(message.id) ?? {};
    const sessionId = server.transport?.sessionId;
    const request = { ...describeRequest(message, extra, server), caller, transport, sessionId, startedAt };
    const watch = observe(request);
    const [oldest] = open.keys();
    if (open.size >= MOST_OPEN && oldest !== undefined) end(oldest);
    open.set(message.id, { request, watch, began: performance.now() });
    return watch;
  };
  /** Without an answer: the request was cancelled. */
  const end = (id: RequestId, answer?: JSONRPCMessage): void => {
    const found = open.get(id);
    if (found === undefined) return;
    open.delete(id);
    const durationMs = answeredEarly?.(id)?.durationMs ?? performance.now() - found.began;
    void finish(found, answer, durationMs, server, skills);
  };
  return {
    receive(message, extra, next) {
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) end(cancelled);
      if (isRequest(message) && isOfClient(extra)) begin(message, extra).run(() => next(message, extra));
      else next(message, extra);
    },
    send(message, options, next) {
      if (!("method" in message) && message.id !== undefined) end(message.id, message);
      return next(message, options);
    },
    closed() {
      for (const id of open.keys()) end(id);
    },
  };
}

/** Waits for the name of the skill that was served, for which nobody else has to wait. */
async function finish(
  { request, watch }: OpenRequest,
  answer: JSONRPCMessage | undefined,
  durationMs: number,
  server: Server,
  skills: Pick<SnapshotSource, "snapshot">,
): Promise<void> {
  const outcome = outcomeOf(answer);
  const { method, params } = request;
  const isUse = outcome.kind === "ok" && isAboutSkills(method);
  const snapshot = isUse ? await skills.snapshot().catch(() => undefined) : undefined;
  const served = snapshot && skillUse(method, fieldsOf(params), fieldsOf(outcome.result), snapshot);
  const version = fieldsOf(outcome.result)["protocolVersion"];
  watch.end({
    ...outcome,
    durationMs,
    ...(served === undefined ? {} : { served }),
    client: request.client ?? server.getClientVersion(),
    protocolVersion: request.protocolVersion ?? (method === "initialize" ? textOf(version) : undefined),
  });
}

function outcomeOf(answer: JSONRPCMessage | undefined): Pick<RequestOutcome, "kind" | "code" | "result"> {
  if (answer === undefined) return { kind: "cancelled" };
  if ("error" in answer) return { kind: "error", code: answer.error.code };
  const result: unknown = "result" in answer ? answer.result : undefined;
  return { kind: fieldsOf(result)["isError"] === true ? "tool_error" : "ok", result };
}

/** The methods that clients send, so that no caller can make up another one in a metric. */
const METHODS: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "logging/setLevel", "completion/complete"],
  ...["tools/list", "tools/call", "prompts/list", "prompts/get", "skills/list", "skills/get"],
  ...["resources/list", "resources/read", "resources/templates/list", "resources/directory/read"],
  ...["resources/subscribe", "resources/unsubscribe", "subscriptions/listen"],
]);

function describeRequest(
  request: JSONRPCRequest,
  extra: MessageExtraInfo | undefined,
  server: Server,
): Omit<ObservedRequest, "caller" | "transport" | "sessionId" | "startedAt"> {
  const { id, method, params } = request;
  const meta = metaOf(request);
  const isHandshake = method === "initialize";
  return {
    id,
    method: METHODS.has(method) ? method : "_OTHER",
    tool: method === "tools/call" ? knownTool(textOf(params?.["name"])) : undefined,
    httpRequestId: httpRequestIdOf(extra),
    client:
      (isHandshake ? clientIn(params?.["clientInfo"]) : undefined) ??
      clientInMeta(meta) ??
      server.getClientVersion(),
    protocolVersion:
      textOf(meta[PROTOCOL_VERSION_META_KEY]) ??
      (isHandshake ? undefined : server.getNegotiatedProtocolVersion()),
    trace: traceIn(meta),
    params,
  };
}

function traceIn(meta: Readonly<Record<string, unknown>>): ObservedRequest["trace"] {
  const traceparent = textOf(meta[TRACEPARENT_META_KEY]);
  const tracestate = textOf(meta[TRACESTATE_META_KEY]);
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
