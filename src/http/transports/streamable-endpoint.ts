import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  type InitializeRequest,
  isInitializeRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { type Exchange, RPC, sendNotAllowed, sendRpcError } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { parseMessages } from "./messages.ts";
import type { Session, Sessions } from "./sessions.ts";
import { StreamableTransport } from "./streamable-transport.ts";

export interface StreamableOptions {
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
}

type StreamableSession = Session<StreamableTransport>;

/** Streamable HTTP for clients up to 2025-11-25, which begin with `initialize` and then send their session id. */
export function createStreamableEndpoint({ sessions, streams, keepAliveMs }: StreamableOptions) {
  function post(
    session: StreamableSession,
    exchange: Exchange,
    messages: readonly JSONRPCMessage[],
    version: string,
  ): void {
    const { response } = exchange;
    if (session.transport.isRepeated(messages)) {
      const message = "Invalid Request: a request with this id is in progress.";
      return sendRpcError(response, 400, RPC.invalidRequest, message);
    }
    use(session, exchange);
    return session.transport.receive(messages, response, version);
  }

  function get(session: StreamableSession, exchange: Exchange): void {
    const { request, response, principal } = exchange;
    if (!accepts(exchange, "text/event-stream")) {
      return sendRpcError(response, 406, RPC.refused, "Not Acceptable: accept text/event-stream.");
    }
    const lastEventId = request.headers["last-event-id"];
    if (typeof lastEventId === "string") {
      if (!session.transport.resume(response, lastEventId))
        return sendRpcError(response, 400, RPC.refused, "This session has no event with this Last-Event-ID.");
    } else if (!session.transport.listen(response)) {
      return sendRpcError(
        response,
        409,
        RPC.refused,
        "Conflict: this session has a listening stream already.",
      );
    }
    use(session, exchange);
    streams.add(response, principal);
    return undefined;
  }

  async function inSession(session: StreamableSession, exchange: Exchange, body: unknown): Promise<void> {
    const { request, response } = exchange;
    const named = request.headers["mcp-protocol-version"];
    const version = typeof named === "string" ? named : DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    if (!session.transport.isSupported(version)) {
      return sendRpcError(
        response,
        400,
        RPC.refused,
        `Bad Request: unsupported protocol version ${version}.`,
      );
    }
    if (request.method === "GET") return get(session, exchange);
    if (request.method === "DELETE") {
      await session.transport.close();
      response.writeHead(200).end();
      return undefined;
    }
    const messages = acceptedMessages(exchange, body);
    if (messages === undefined) return undefined;
    if (messages.some(isInitialize)) {
      const message = "Invalid Request: the session is initialized already.";
      return sendRpcError(response, 400, RPC.invalidRequest, message);
    }
    return post(session, exchange, messages, version);
  }

  return async (exchange: Exchange, body: unknown): Promise<void> => {
    const { request, response, principal } = exchange;
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") {
      const session = sessions.find(id, principal.subject, StreamableTransport);
      if (session !== undefined) return inSession(session, exchange, body);
      return sendRpcError(response, 404, RPC.sessionNotFound, "Session not found");
    }
    if (request.method !== "POST") return sendNotAllowed(response, "POST");
    const messages = acceptedMessages(exchange, body);
    if (messages === undefined) return undefined;
    const [first] = messages;
    if (messages.length !== 1 || first === undefined || !isInitialize(first)) {
      const message = "Bad Request: send initialize first, then its Mcp-Session-Id with every request.";
      return sendRpcError(response, 400, RPC.refused, message);
    }
    const session = await sessions.open(exchange, (newId) => new StreamableTransport(newId, keepAliveMs));
    if (session === undefined) return undefined;
    return post(session, exchange, messages, first.params.protocolVersion);
  };
}

/** Marks the session as used until the response is out. */
function use(session: StreamableSession, { response }: Exchange): void {
  const leave = session.enter();
  if (response.destroyed) leave();
  else response.once("close", leave);
}

/** The method alone tells it for nearly every message. */
function isInitialize(message: JSONRPCMessage): message is JSONRPCMessage & InitializeRequest {
  return "method" in message && message.method === "initialize" && isInitializeRequest(message);
}

/** The messages of a body, or undefined when the refusal is sent. */
function acceptedMessages(exchange: Exchange, body: unknown): readonly JSONRPCMessage[] | undefined {
  if (!accepts(exchange, "application/json") || !accepts(exchange, "text/event-stream")) {
    const message = "Not Acceptable: accept both application/json and text/event-stream.";
    sendRpcError(exchange.response, 406, RPC.refused, message);
    return undefined;
  }
  return parseMessages(exchange, body);
}

function accepts({ request }: Exchange, type: string): boolean {
  return request.headers.accept?.includes(type) === true;
}
