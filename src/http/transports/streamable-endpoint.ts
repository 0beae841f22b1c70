import {
  isInitializeRequest,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type Exchange, RPC, sendNotAllowed, sendRpcError } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { requestHead, sendWebResponse } from "../server/web-bridge.ts";
import { createEventStore, type SessionEvents } from "./event-store.ts";
import type { Session, Sessions, SessionTransport } from "./sessions.ts";

export interface StreamableOptions {
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
}

const INVALID_REQUEST = -32_600;

/** Streamable HTTP for clients up to 2025-11-25, which begin with `initialize` and then send their session id. */
export function createStreamableEndpoint({ sessions, streams, keepAliveMs }: StreamableOptions) {
  async function forward(session: Session<StreamableTransport>, exchange: Exchange, body: unknown) {
    const { request, response, principal } = exchange;
    const leave = session.enter();
    response.once("close", leave);
    const answer = await session.transport.handle(requestHead(request), body);
    if (request.method === "GET" && answer.ok) streams.add(response, principal);
    return sendWebResponse(answer, response);
  }

  async function inSession(id: string, exchange: Exchange, body: unknown): Promise<void> {
    const { request, response, principal } = exchange;
    const session = sessions.find(id, principal.subject, StreamableTransport);
    if (session === undefined) {
      return sendRpcError(response, 404, RPC.sessionNotFound, "Session not found");
    }
    const lastEventId = request.headers["last-event-id"];
    if (request.method === "GET" && typeof lastEventId === "string" && !session.transport.knows(lastEventId)) {
      return sendRpcError(response, 400, RPC.refused, "This session has no event with this Last-Event-ID.");
    }
    const refused = request.method === "POST" ? session.transport.refusal(body) : undefined;
    if (refused !== undefined) return sendRpcError(response, 400, INVALID_REQUEST, refused);
    return forward(session, exchange, body);
  }

  return async (exchange: Exchange, body: unknown): Promise<void> => {
    const { request, response } = exchange;
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") return inSession(id, exchange, body);
    if (request.method !== "POST") return sendNotAllowed(response, "POST");
    if (!isInitializeRequest(body)) {
      const message = "Bad Request: send initialize first, then its Mcp-Session-Id with every request.";
      return sendRpcError(response, 400, RPC.refused, message);
    }
    const session = await sessions.open(
      exchange,
      (sessionId) => new StreamableTransport(sessionId, keepAliveMs),
    );
    if (session === undefined) return undefined;
    await forward(session, exchange, body);
    // Refused for its headers, so the client never learns the id.
    if (response.statusCode !== 200) await session.transport.close();
    return undefined;
  };
}

/** The SDK's transport, and what it leaves open: requests that were cancelled, or not answered when the session ends. */
class StreamableTransport extends WebStandardStreamableHTTPServerTransport implements SessionTransport {
  readonly #events: SessionEvents;
  /** The requests that are not answered yet, each with those of the same batch. */
  readonly #owed = new Map<RequestId, Set<RequestId>>();

  constructor(id: string, keepAliveMs: number) {
    const events = createEventStore();
    super({ sessionIdGenerator: () => id, eventStore: events, keepAliveMs });
    this.#events = events;
  }

  knows(eventId: string): boolean {
    return this.#events.knows(eventId);
  }

  /** Why a body cannot be accepted now. */
  refusal(body: unknown): string | undefined {
    if (Array.isArray(body) && body.length === 0) return "Invalid Request: the batch is empty.";
    const ids = requestIds(body);
    const isRepeated = ids.some((id, index) => this.#owed.has(id) || ids.indexOf(id) !== index);
    return isRepeated ? "Invalid Request: a request with this id is in progress." : undefined;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const batch = new Set(requestIds(body));
    for (const id of batch) this.#owed.set(id, batch);
    const answer = await this.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    if (answer.ok) for (const message of messagesOf(body)) this.#settle(cancelledId(message));
    else for (const id of batch) this.#owed.delete(id);
    return answer;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    await super.send(message, options);
    if (!("method" in message)) this.#settle(message.id);
  }

  /** Nothing answers a cancelled request, so the SDK would never end its stream. */
  #settle(id: RequestId | undefined): void {
    const batch = id === undefined ? undefined : this.#owed.get(id);
    if (id === undefined || batch === undefined) return;
    this.#owed.delete(id);
    batch.delete(id);
    if (batch.size === 0) this.closeSSEStream(id);
  }

  isBusy(): boolean {
    return this.#owed.size > 0;
  }

  endListening(): void {
    this.closeStandaloneSSEStream();
  }

  override async close(): Promise<void> {
    const error = { code: RPC.refused, message: "The session ended before the request was answered." };
    await Promise.all([...this.#owed.keys()].map((id) => this.send({ jsonrpc: "2.0", id, error })));
    await super.close();
  }
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function requestIds(body: unknown): readonly RequestId[] {
  return messagesOf(body).flatMap((message) => {
    const id = isRecord(message) && "method" in message ? message["id"] : undefined;
    return typeof id === "string" || typeof id === "number" ? [id] : [];
  });
}

function cancelledId(message: unknown): RequestId | undefined {
  if (!isRecord(message) || message["method"] !== "notifications/cancelled") return undefined;
  const { params } = message;
  const id = isRecord(params) ? params["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
