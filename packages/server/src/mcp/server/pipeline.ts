import {
  type HandlerResultTypeMap,
  type JSONRPCMessage,
  McpServer,
  type McpServerOptions,
  type MessageExtraInfo,
  type RequestMethod,
  type RequestTypeMap,
  type ServerContext,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";

/** Answers the requests for one method. */
export type Handler<Method extends RequestMethod> = (
  request: RequestTypeMap[Method],
  context: ServerContext,
) => Promise<HandlerResultTypeMap[Method]>;

/** What a server answers, by method. */
export type Handlers = { readonly [Method in RequestMethod]?: Handler<Method> };

type Receive = (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
type Send = (message: JSONRPCMessage, options?: TransportSendOptions) => Promise<void>;

/** One concern of every request. The first step of a pipeline is the nearest to the client, the last one to the handlers. */
export interface Step {
  /** Sees a message of the client before the SDK does: `next` passes it on, `reply` answers it instead. */
  receive?(message: JSONRPCMessage, extra: MessageExtraInfo | undefined, next: Receive, reply: Send): void;
  /** Sees a message to the client after the SDK made it; `next` passes it on. */
  send?(message: JSONRPCMessage, options: TransportSendOptions | undefined, next: Send): Promise<void>;
  /** The client has disconnected. */
  closed?(): void;
  /** Goes around a handler: it sees what the SDK has validated, and results also of requests that were cancelled. */
  around?<Method extends RequestMethod>(method: Method, handler: Handler<Method>): Handler<Method>;
}

/** An MCP server whose requests pass the steps of a pipeline, whichever transport it is connected to. */
export class PipedServer extends McpServer {
  #steps: readonly Step[] = [];

  /** Sets what answers, and the steps on the way to it. Has to be called before the server is connected. */
  pipe(steps: readonly Step[], handlers: Handlers): void {
    this.#steps = steps;
    for (const method of methodsOf(handlers)) this.#handle(method, handlers[method]);
  }

  override connect(transport: Transport): Promise<void> {
    return super.connect(new PipedTransport(transport, this.#steps));
  }

  #handle<Method extends RequestMethod>(method: Method, handler: Handlers[Method]): void {
    if (handler !== undefined) this.server.setRequestHandler(method, compose(this.#steps, method, handler));
  }
}

/** A handler with the steps around it. */
function compose<Method extends RequestMethod>(
  steps: readonly Step[],
  method: Method,
  handler: Handler<Method>,
): Handler<Method> {
  return steps.reduceRight((inner, step) => step.around?.(method, inner) ?? inner, handler);
}

function methodsOf(handlers: Handlers): readonly RequestMethod[] {
  return Object.keys(handlers) as RequestMethod[];
}

/** The SDK's view of a transport: everything passes the steps. A class: each request since 2026-07-28 has one, and accessors are slow to make. */
class PipedTransport implements Transport {
  readonly hasPerRequestStream?: boolean;
  readonly #transport: Transport;
  readonly #steps: readonly Step[];
  /** Of each step, how those before it send to the client. */
  readonly #replies: readonly Send[];
  readonly send: Send;

  constructor(transport: Transport, steps: readonly Step[]) {
    this.#transport = transport;
    this.#steps = steps;
    if (transport.hasPerRequestStream !== undefined) this.hasPerRequestStream = transport.hasPerRequestStream;
    let send: Send = (message, options) => transport.send(message, options);
    this.#replies = steps.map((step) => {
      const next = send;
      if (step.send !== undefined)
        send = (message, options) => step.send?.(message, options, next) ?? next(message, options);
      return next;
    });
    this.send = send;
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
    this.#transport.onmessage = this.#steps.reduceRight<Receive>(
      (next, step, index) => {
        const reply = this.#replies[index];
        if (step.receive === undefined || reply === undefined) return next;
        return (message, extra) => step.receive?.(message, extra, next, reply);
      },
      (message, extra) => handler?.(message, extra),
    );
  }
}
