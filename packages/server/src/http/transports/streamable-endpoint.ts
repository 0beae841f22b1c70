import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  type InitializeRequest,
  isInitializeRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { type Exchange, full, HttpRefusal, notAllowed } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { invalidRequest, parseMessages, unknownSession } from "./messages.ts";
import type { Sessions } from "./sessions.ts";
import type { SharedSessions } from "./shared-sessions.ts";
import { type StreamableSession, StreamableTransport } from "./streamable-transport.ts";

export interface StreamableOptions {
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
  /** Undefined: this server is the only one. */
  readonly shared: SharedSessions | undefined;
}

/** Streamable HTTP for clients up to 2025-11-25, which begin with `initialize` and then send their session id. */
export function createStreamableEndpoint({ sessions, streams, keepAliveMs, shared }: StreamableOptions) {
  /** `POST` with `initialize`. */
  async function open(exchange: Exchange, body: unknown): Promise<void> {
    if (exchange.request.method !== "POST") throw notAllowed("POST");
    const messages = acceptedMessages(exchange, body);
    const [first] = messages;
    if (messages.length !== 1 || first === undefined || !isInitialize(first))
      throw new HttpRefusal(
        400,
        "Bad Request: send initialize first, then its Mcp-Session-Id with every request.",
      );
    const session =
      shared === undefined
        ? await sessions.open(exchange, { create: (id) => new StreamableTransport(id, keepAliveMs) })
        : await shared.open(exchange, first.params);
    return post(session, exchange, messages, first.params.protocolVersion);
  }

  const find = async (id: string, exchange: Exchange): Promise<StreamableSession | undefined> => {
    const { subject, profile } = exchange.principal;
    const session =
      shared === undefined
        ? sessions.find(id, subject, StreamableTransport)
        : await shared.find(id, exchange);
    // A session stays in the profile that it was opened in.
    return session?.profile === profile ? session : undefined;
  };

  return async (exchange: Exchange, body: unknown): Promise<void> => {
    const { request, response, principal } = exchange;
    const { "mcp-session-id": id, "mcp-protocol-version": named } = request.headers;
    if (typeof id !== "string") return open(exchange, body);
    const session = await find(id, exchange);
    if (session === undefined) throw unknownSession();
    const version = typeof named === "string" ? named : DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    if (!session.transport.isSupported(version))
      throw new HttpRefusal(400, `Bad Request: unsupported protocol version ${version}.`);
    if (request.method === "DELETE") {
      await (shared === undefined ? session.transport.close() : shared.end(session));
      response.writeHead(200).end();
      return undefined;
    }
    if (request.method === "GET") {
      shared?.initialize(session, []);
      await listen(session, exchange, shared);
      return streams.add(response, principal);
    }
    const messages = acceptedMessages(exchange, body);
    if (messages.some(isInitialize)) throw invalidRequest("the session is initialized already");
    shared?.initialize(session, messages);
    return post(session, exchange, messages, version);
  };
}

function post(
  session: StreamableSession,
  exchange: Exchange,
  messages: readonly JSONRPCMessage[],
  version: string,
): void {
  if (session.transport.isRepeated(messages)) throw invalidRequest("a request with this id is in progress");
  use(session, exchange);
  session.transport.receive(messages, exchange.response, version);
}

/** Opens the stream for notifications, or resumes a broken stream, also one of another replica. */
async function listen(
  session: StreamableSession,
  exchange: Exchange,
  shared: SharedSessions | undefined,
): Promise<void> {
  const { request, response } = exchange;
  const { transport } = session;
  if (!accepts(exchange, "text/event-stream"))
    throw new HttpRefusal(406, "Not Acceptable: accept text/event-stream.");
  use(session, exchange);
  const lastEventId = request.headers["last-event-id"];
  if (typeof lastEventId === "string") {
    const foreign = shared && transport.foreignPosition(lastEventId);
    const isResumed =
      foreign === undefined
        ? transport.resume(response, lastEventId)
        : await shared?.streams.resume(session, response, foreign);
    if (isResumed !== true && shared?.isAway() === true)
      throw full("The replica that began this stream cannot be asked. Try again later.");
    if (isResumed !== true) throw new HttpRefusal(400, "This session has no event with this Last-Event-ID.");
  } else if (!(await (shared?.streams.listen(session, response) ?? transport.listen(response)))) {
    throw new HttpRefusal(409, "Conflict: this session has a listening stream already.");
  }
}

/** Marks the session as used until the response is sent. */
function use(session: StreamableSession, { response }: Exchange): void {
  const leave = session.enter();
  if (response.destroyed) leave();
  else response.once("close", leave);
}

/** Compares the method first, because the schema check is slow. */
function isInitialize(message: JSONRPCMessage): message is JSONRPCMessage & InitializeRequest {
  return "method" in message && message.method === "initialize" && isInitializeRequest(message);
}

function acceptedMessages(exchange: Exchange, body: unknown): readonly JSONRPCMessage[] {
  if (!accepts(exchange, "application/json") || !accepts(exchange, "text/event-stream"))
    throw new HttpRefusal(406, "Not Acceptable: accept both application/json and text/event-stream.");
  return parseMessages(exchange, body);
}

function accepts({ request }: Exchange, type: string): boolean {
  return request.headers.accept?.includes(type) === true;
}
