/** A program that speaks MCP, as it names itself. */
interface ObservedClient {
  readonly name: string;
  readonly version?: string;
}

/** A request of a client, from the moment it arrives. Only `params` holds what the caller wrote. */
export interface ObservedRequest {
  /** A method of the protocol, or `_OTHER`. */
  readonly method: string;
  /** The tool that is called, if there is one of that name. */
  readonly tool: string | undefined;
  /** The id that the client gave it. */
  readonly id: string | number;
  /** The id of the HTTP request that it came in. */
  readonly httpRequestId: string | undefined;
  /** The client as it names itself; undefined before `initialize` named it. */
  readonly client: ObservedClient | undefined;
  /** Who is authenticated, by token or account; undefined on a server without authentication. */
  readonly caller: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly sessionId: string | undefined;
  readonly transport: ObservedTransport;
  /** W3C trace context, as the client sent it. */
  readonly trace: TraceParent | undefined;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Only for observers that record content (`--otlp-content`). */
  readonly params: unknown;
}

/** What carries the messages: standard input and output, or HTTP. */
type ObservedTransport = "pipe" | "tcp";

interface TraceParent {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** How a request ended. */
export interface RequestOutcome {
  /** `tool_error`: the answer says that the tool could not do it; `error`: an error of JSON-RPC. */
  readonly kind: "ok" | "tool_error" | "error" | "cancelled";
  /** The JSON-RPC error code. */
  readonly code?: number;
  readonly durationMs: number;
  /** What was served, where the request was about a skill that exists. */
  readonly served?: SkillUse;
  /** The client may only have named itself in this request. */
  readonly client: ObservedClient | undefined;
  readonly protocolVersion: string | undefined;
  /** Only for observers that record content (`--otlp-content`). */
  readonly result?: unknown;
}

interface SkillUse {
  readonly name: string;
  readonly source: string;
  /** The prompt or the resource, if it was asked for as one. */
  readonly prompt?: string;
  readonly uri?: string;
}

/** Watches one request. */
interface RequestWatch {
  /** Runs what handles it. */
  run(handle: () => void): void;
  end(outcome: RequestOutcome): void;
}

/** Called for every request, of either protocol era and on any transport. */
export type ObserveRequest = (request: ObservedRequest) => RequestWatch;
