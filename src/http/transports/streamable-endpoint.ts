import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  type InitializeRequest,
  isInitializeRequest,
  isJsonContentType,
  type JSONRPCMessage,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import { callerInfo } from "../auth/caller-info.ts";
import type { Exchange } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { RPC, sendNotAllowed, sendRpcError } from "../server/reply.ts";
import { isPlainCall } from "./era-of.ts";
import { createEventStore } from "./event-store.ts";
import { admit, type HeldSession, type ServerFactory, type Sessions } from "./sessions.ts";
import { createStreamableTransport, type StreamableTransport } from "./streamable-transport.ts";

export interface StreamableOptions {
  readonly factory: ServerFactory;
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
}

const MOST_MESSAGES = 100;
const INVALID_REQUEST = -32_600;

/** Streamable HTTP for clients up to 2025-11-25, who begin with `initialize` and then name their session. */
export function createStreamableEndpoint({ factory, sessions, streams, keepAliveMs }: StreamableOptions) {
  const beat = setInterval(() => {
    for (const { value } of sessions.values()) if (value.kind === "streamable") value.transport.keepAlive();
  }, keepAliveMs).unref();

  async function open({ principal, response }: Exchange): Promise<HeldSession | undefined> {
    const opened = admit(sessions, principal.subject, response, (id) => {
      const mcp = factory({ era: "legacy", ...callerInfo(principal) });
      const transport = createStreamableTransport(id, createEventStore());
      transport.onclose = () => sessions.remove(id);
      return { kind: "streamable", mcp, transport, close: () => mcp.close() };
    });
    if (opened?.value.kind === "streamable") await opened.value.mcp.connect(opened.value.transport);
    return opened;
  }

  /** Marks the session as used until the answer is out. */
  function use(session: HeldSession, { response }: Exchange): void {
    const leave = session.enter();
    if (response.destroyed) leave();
    else response.once("close", leave);
  }

  async function post(
    session: HeldSession,
    transport: StreamableTransport,
    exchange: Exchange,
    messages: readonly JSONRPCMessage[],
    version: string,
  ): Promise<void> {
    const refused = transport.refuses(messages);
    if (refused !== undefined) return sendRpcError(exchange.response, 400, INVALID_REQUEST, refused);
    use(session, exchange);
    return transport.receive(messages, exchange.response, version);
  }

  async function get(
    session: HeldSession,
    transport: StreamableTransport,
    exchange: Exchange,
  ): Promise<void> {
    const { request, response, principal } = exchange;
    if (!accepts(exchange, "text/event-stream")) {
      return sendRpcError(response, 406, RPC.refused, "Not Acceptable: accept text/event-stream.");
    }
    const lastEventId = request.headers["last-event-id"];
    if (typeof lastEventId === "string") {
      if (!(await transport.resume(response, lastEventId))) {
        return sendRpcError(response, 400, RPC.refused, "There is no stream of this session to go on with.");
      }
    } else if (!transport.listen(response)) {
      return sendRpcError(response, 409, RPC.refused, "Conflict: this session listens already.");
    }
    use(session, exchange);
    streams.add(response, principal);
    return undefined;
  }

  async function inSession(session: HeldSession, exchange: Exchange, body: unknown): Promise<void> {
    const { request, response } = exchange;
    if (session.value.kind !== "streamable") return undefined;
    const { transport } = session.value;
    const named = request.headers["mcp-protocol-version"];
    const version = typeof named === "string" ? named : DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    if (!transport.isSupported(version)) {
      const message = `Bad Request: the protocol version ${version} is not supported.`;
      return sendRpcError(response, 400, RPC.refused, message);
    }
    if (request.method === "GET") return get(session, transport, exchange);
    if (request.method === "DELETE") {
      await session.value.close();
      response.writeHead(200).end();
      return undefined;
    }
    const messages = readMessages(exchange, body);
    if (messages === undefined) return undefined;
    if (messages.some((message) => isInitialize(message))) {
      return sendRpcError(response, 400, INVALID_REQUEST, "Invalid Request: the session is initialized.");
    }
    return post(session, transport, exchange, messages, version);
  }

  async function serve(exchange: Exchange, body: unknown): Promise<void> {
    const { request, response, principal } = exchange;
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") {
      const session = sessions.find(id, principal.subject);
      if (session?.value.kind === "streamable") return inSession(session, exchange, body);
      return sendRpcError(response, 404, RPC.sessionNotFound, "Session not found");
    }
    if (request.method !== "POST") return sendNotAllowed(response, "POST");
    const messages = readMessages(exchange, body);
    if (messages === undefined) return undefined;
    const [first] = messages;
    if (messages.length !== 1 || first === undefined || !isInitialize(first)) {
      const message = "Bad Request: begin with initialize, then send its Mcp-Session-Id with every request.";
      return sendRpcError(response, 400, RPC.refused, message);
    }
    const session = await open(exchange);
    if (session?.value.kind !== "streamable") return undefined;
    return post(session, session.value.transport, exchange, messages, first.params.protocolVersion);
  }

  return { serve, close: () => clearInterval(beat) };
}

/** The method alone tells it for nearly every message. */
function isInitialize(message: JSONRPCMessage): message is JSONRPCMessage & InitializeRequest {
  return "method" in message && message.method === "initialize" && isInitializeRequest(message);
}

/** The messages of a body, or undefined when the refusal is sent. */
function readMessages(exchange: Exchange, body: unknown): readonly JSONRPCMessage[] | undefined {
  const { request, response } = exchange;
  if (!accepts(exchange, "application/json") || !accepts(exchange, "text/event-stream")) {
    const message = "Not Acceptable: accept both application/json and text/event-stream.";
    sendRpcError(response, 406, RPC.refused, message);
    return undefined;
  }
  if (!isJsonContentType(request.headers["content-type"])) {
    sendRpcError(response, 415, RPC.refused, "The content type must be application/json.");
    return undefined;
  }
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (items.length === 0 || items.length > MOST_MESSAGES) {
    const message = `Invalid Request: a batch has 1 to ${MOST_MESSAGES} messages.`;
    sendRpcError(response, 400, INVALID_REQUEST, message);
    return undefined;
  }
  try {
    return items.map((item) => (isPlainCall(item) ? item : parseJSONRPCMessage(item)));
  } catch {
    sendRpcError(response, 400, RPC.parseError, "Parse error: not a JSON-RPC message.");
    return undefined;
  }
}

function accepts({ request }: Exchange, type: string): boolean {
  return request.headers.accept?.includes(type) === true;
}
