import {
  CLIENT_INFO_META_KEY,
  type HandlerResultTypeMap,
  type JSONRPCMessage,
  type JSONRPCRequest,
  McpServer,
  type MessageExtraInfo,
  type RequestId,
  type RequestMethod,
  type RequestTypeMap,
  type ServerContext,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";

/** Answers the requests for one method. */
export type RequestHandler<Method extends RequestMethod> = (
  request: RequestTypeMap[Method],
  context: ServerContext,
) => Promise<HandlerResultTypeMap[Method]>;

/** What a server answers, by method. */
export type RequestHandlers = { readonly [Method in RequestMethod]?: RequestHandler<Method> };

export type ReceiveMessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
export type SendMessage = (message: JSONRPCMessage, options?: TransportSendOptions) => Promise<void>;

/** One concern of every request. The first step of a pipeline is the nearest to the client, the last one to the handlers. */
export interface Step {
  /** Sees a message of the client before the SDK does: `next` passes it on, `reply` answers it instead. */
  receive?(
    message: JSONRPCMessage,
    extra: MessageExtraInfo | undefined,
    next: ReceiveMessage,
    reply: SendMessage,
  ): void;
  /** Sees a message to the client after the SDK made it; `next` passes it on. */
  send?(message: JSONRPCMessage, options: TransportSendOptions | undefined, next: SendMessage): Promise<void>;
  /** The client has disconnected. */
  closed?(): void;
  /** Goes around a handler: it sees what the SDK has validated, and results also of requests that were cancelled. */
  around?<Method extends RequestMethod>(
    method: Method,
    handler: RequestHandler<Method>,
  ): RequestHandler<Method>;
}

/** An MCP server whose requests pass the steps of a pipeline, whichever transport it is connected to. */
export class PipedServer extends McpServer {
  #steps: readonly Step[] = [];

  /** Sets what answers, and the steps on the way to it. Has to be called before the server is connected. */
  pipe(steps: readonly Step[], handlers: RequestHandlers): void {
    this.#steps = steps;
    for (const method of methodsOf(handlers)) this.#handle(method, handlers[method]);
  }

  override connect(transport: Transport): Promise<void> {
    if (!isSelfPiped(transport)) return super.connect(new PipedTransport(transport, this.#steps));
    transport.pipe(this.#steps);
    return super.connect(transport);
  }

  #handle<Method extends RequestMethod>(method: Method, handler: RequestHandlers[Method]): void {
    if (handler !== undefined) this.server.setRequestHandler(method, compose(this.#steps, method, handler));
  }
}

/** A handler with the steps around it. */
function compose<Method extends RequestMethod>(
  steps: readonly Step[],
  method: Method,
  handler: RequestHandler<Method>,
): RequestHandler<Method> {
  return steps.reduceRight((inner, step) => step.around?.(method, inner) ?? inner, handler);
}

function methodsOf(handlers: RequestHandlers): readonly RequestMethod[] {
  return Object.keys(handlers) as RequestMethod[];
}

/** A transport that passes the steps by itself, for where the SDK has to see its class. */
export interface SelfPiped extends Transport {
  pipe(steps: readonly Step[]): void;
}

function isSelfPiped(transport: Transport): transport is SelfPiped {
  return "pipe" in transport;
}

/** Both directions of a connection, through all steps. */
export interface Pipe {
  readonly receive: ReceiveMessage;
  readonly send: SendMessage;
}

export function pipeThrough(steps: readonly Step[], toServer: ReceiveMessage, toClient: SendMessage): Pipe {
  let send = toClient;
  const replies = steps.map((step) => {
    const next = send;
    if (step.send !== undefined)
      send = (message, options) => step.send?.(message, options, next) ?? next(message, options);
    return next;
  });
  const receive = steps.reduceRight<ReceiveMessage>((next, step, index) => {
    if (step.receive === undefined) return next;
    const reply = replies[index] ?? toClient;
    return (message, extra) => step.receive?.(message, extra, next, reply);
  }, toServer);
  return { receive, send };
}

/** The SDK's view of a transport: every message passes the steps. */
class PipedTransport implements Transport {
  readonly hasPerRequestStream?: boolean;
  readonly send: SendMessage;
  readonly #transport: Transport;
  readonly #steps: readonly Step[];
  readonly #receive: ReceiveMessage;
  #handler: Transport["onmessage"];

  constructor(transport: Transport, steps: readonly Step[]) {
    this.#transport = transport;
    this.#steps = steps;
    if (transport.hasPerRequestStream !== undefined) this.hasPerRequestStream = transport.hasPerRequestStream;
    const toServer: ReceiveMessage = (message, extra) => this.#handler?.(message, extra);
    const toClient: SendMessage = (message, options) => transport.send(message, options);
    ({ send: this.send, receive: this.#receive } = pipeThrough(steps, toServer, toClient));
  }

  start(): Promise<void> {
    return this.#transport.start();
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
      for (const step of this.#steps) step.closed?.();
      handler?.();
    };
  }

  get onmessage() {
    return this.#transport.onmessage;
  }

  set onmessage(handler) {
    this.#handler = handler;
    this.#transport.onmessage = this.#receive;
  }
}

/** The version of the protocol in which every request is self-contained. */
export const MODERN_VERSION = "2026-07-28";

/** An object of a message, of which nothing else is known. */
export type MessageFields = Readonly<Record<string, unknown>>;

/** What comes over HTTP with a message of a client. What a replica repeats of a client comes without. */
export interface ClientMessage extends MessageExtraInfo {
  readonly httpRequestId: string | undefined;
}

/** The id of the HTTP request that brought a message. */
export function httpRequestIdOf(extra: MessageExtraInfo | undefined): string | undefined {
  if (extra !== undefined && "httpRequestId" in extra) return textOf(extra.httpRequestId);
  return extra?.request?.headers.get("x-request-id") ?? undefined;
}

/** Whether a message is a request. The SDK's own check compares the whole message with a schema, which is slow. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

/** The ids of the requests among messages. */
export function requestIds(messages: readonly JSONRPCMessage[]): readonly RequestId[] {
  return messages.filter(isRequest).map(({ id }) => id);
}

/** The metadata of a request; empty when it has none. */
export function metaOf({ params }: JSONRPCRequest): MessageFields {
  return fieldsOf(params?.["_meta"]);
}

/** The client that a request since 2026-07-28 names in its metadata. */
export function clientInMeta(meta: MessageFields): ClientInfo | undefined {
  return clientIn(meta[CLIENT_INFO_META_KEY]);
}

/** The client that `clientInfo` describes; undefined when it has no name. */
export function clientIn(info: unknown): ClientInfo | undefined {
  const { name, version } = fieldsOf(info);
  if (typeof name !== "string") return undefined;
  return typeof version === "string" ? { name, version } : { name };
}

/** The resource that a request subscribes to or unsubscribes from. */
export function subscriptionIn(message: JSONRPCMessage) {
  if (!isRequest(message)) return undefined;
  const isOn = message.method === "resources/subscribe";
  if (!isOn && message.method !== "resources/unsubscribe") return undefined;
  const uri: unknown = message.params?.["uri"];
  return typeof uri === "string" ? { id: message.id, uri, isOn } : undefined;
}

/** The request that a notification cancels. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): MessageFields {
  return typeof value === "object" && value !== null ? (value as MessageFields) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
