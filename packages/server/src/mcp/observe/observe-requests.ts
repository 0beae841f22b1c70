import {
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  type MessageExtraInfo,
  PROTOCOL_VERSION_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";
import type {
  ObservedRequest,
  ObservedTransport,
  ObserveRequest,
  RequestOutcome,
  RequestWatch,
  TraceParent,
} from "#util";
import type { App } from "../../create-app.ts";
import type { Id } from "../server/plain-requests.ts";
import { fieldsOf, isAboutSkills, knownTool, skillUse, textOf } from "./skill-use.ts";

/** Who watches the requests of a process. */
export interface RequestObservation {
  readonly observe: ObserveRequest;
  readonly transport: ObservedTransport;
  /** When a request arrived that was answered before there was a server, and when it was answered. */
  readonly answeredEarly?: (
    id: Id,
  ) => { readonly startedAt: number; readonly durationMs: number } | undefined;
}

type Server = McpServer["server"];

interface OpenRequest {
  readonly request: ObservedRequest;
  readonly watch: RequestWatch;
  readonly began: number;
}

/**
 * Reports every request of a server and how it was answered, whatever answers it: our handlers, or the SDK with an error.
 * Between the transport and the server, because that is the one place that all transports and both protocol eras share. It
 * has to be called before the server is connected.
 */
export function observeRequests(
  server: Server,
  app: Pick<App, "snapshot">,
  observation: RequestObservation,
  caller: string | undefined,
): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) =>
    connect(new WatchedTransport(transport, createOpenRequests(transport, server, app, observation, caller)));
}

/** The SDK may drop a request of the wrong era without an answer: a client must not fill the memory with them. */
const MOST_OPEN = 1_000;

/** The requests of one connection that are not answered yet. */
function createOpenRequests(
  transport: Transport,
  server: Server,
  app: Pick<App, "snapshot">,
  observation: RequestObservation,
  caller: string | undefined,
) {
  const open = new Map<Id, OpenRequest>();
  return {
    /** Over HTTP, what comes without a request is repeated by us: the client sent it to another replica. */
    isOfClient: (extra: MessageExtraInfo | undefined): boolean =>
      observation.transport === "pipe" || extra?.request !== undefined,
    begin(message: JSONRPCRequest, extra: MessageExtraInfo | undefined): RequestWatch {
      const given = { caller, transport: observation.transport, sessionId: transport.sessionId };
      const { startedAt = Date.now() } = observation.answeredEarly?.(message.id) ?? {};
      const request = { ...describeRequest(message, extra, server), ...given, startedAt };
      const watch = observation.observe(request);
      const [oldest] = open.keys();
      if (open.size >= MOST_OPEN && oldest !== undefined) this.end(oldest);
      open.set(message.id, { request, watch, began: performance.now() });
      return watch;
    },
    /** Without an answer: it was cancelled. */
    end(id: Id, answer?: JSONRPCMessage): void {
      const found = open.get(id);
      if (found === undefined) return;
      open.delete(id);
      const early = observation.answeredEarly?.(id);
      void finish(found, answer, early?.durationMs ?? performance.now() - found.began, server, app);
    },
    /** The client has disconnected, and gets no more answers. */
    endAll(): void {
      for (const id of open.keys()) this.end(id);
    },
  };
}

/** A transport that reports what passes through it. A class: each request since 2026-07-28 has one, and accessors are slow to make. */
class WatchedTransport implements Transport {
  readonly #transport: Transport;
  readonly #requests: ReturnType<typeof createOpenRequests>;
  readonly hasPerRequestStream?: boolean;

  constructor(transport: Transport, requests: ReturnType<typeof createOpenRequests>) {
    this.#transport = transport;
    this.#requests = requests;
    if (transport.hasPerRequestStream !== undefined) this.hasPerRequestStream = transport.hasPerRequestStream;
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  send(...[message, options]: Parameters<Transport["send"]>): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#requests.end(message.id, message);
    return this.#transport.send(message, options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#transport.setSupportedProtocolVersions?.(versions);
  }

  get sessionId() {
    return this.#transport.sessionId;
  }

  get onerror() {
    return this.#transport.onerror;
  }

  set onerror(handler) {
    this.#transport.onerror = handler;
  }

  get onclose() {
    return this.#transport.onclose;
  }

  set onclose(handler) {
    this.#transport.onclose = () => {
      this.#requests.endAll();
      handler?.();
    };
  }

  get onmessage() {
    return this.#transport.onmessage;
  }

  set onmessage(handler) {
    const requests = this.#requests;
    this.#transport.onmessage = (message, extra) => {
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) requests.end(cancelled);
      if (isRequest(message) && requests.isOfClient(extra))
        requests.begin(message, extra).run(() => handler?.(message, extra));
      else handler?.(message, extra);
    };
  }
}

/** Waits for the name of the skill that was served, for which nobody else has to wait. */
async function finish(
  { request, watch }: OpenRequest,
  answer: JSONRPCMessage | undefined,
  durationMs: number,
  server: Server,
  app: Pick<App, "snapshot">,
): Promise<void> {
  const outcome = outcomeOf(answer);
  const { method, params } = request;
  const isUse = outcome.kind === "ok" && isAboutSkills(method);
  const snapshot = isUse ? await app.snapshot().catch(() => undefined) : undefined;
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
  { id, method, params }: JSONRPCRequest,
  extra: MessageExtraInfo | undefined,
  server: Server,
): Omit<ObservedRequest, "caller" | "transport" | "sessionId" | "startedAt"> {
  const meta = fieldsOf(params?.["_meta"]);
  const isHandshake = method === "initialize";
  return {
    id,
    method: METHODS.has(method) ? method : "_OTHER",
    tool: method === "tools/call" ? knownTool(textOf(params?.["name"])) : undefined,
    httpRequestId: extra?.request?.headers.get("x-request-id") ?? undefined,
    client:
      clientIn(isHandshake ? params?.["clientInfo"] : meta[CLIENT_INFO_META_KEY]) ??
      server.getClientVersion(),
    protocolVersion:
      textOf(meta[PROTOCOL_VERSION_META_KEY]) ??
      (isHandshake ? undefined : server.getNegotiatedProtocolVersion()),
    trace: traceIn(meta),
    params,
  };
}

function clientIn(info: unknown): ClientInfo | undefined {
  const { name, version } = fieldsOf(info);
  if (typeof name !== "string") return undefined;
  return typeof version === "string" ? { name, version } : { name };
}

function traceIn(meta: Readonly<Record<string, unknown>>): TraceParent | undefined {
  const traceparent = textOf(meta[TRACEPARENT_META_KEY]);
  const tracestate = textOf(meta[TRACESTATE_META_KEY]);
  if (traceparent === undefined) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

/** The SDK's own check compares the whole message with a schema, and does so later. */
function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

function cancelledId(message: JSONRPCMessage): Id | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = fieldsOf(message.params)["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
