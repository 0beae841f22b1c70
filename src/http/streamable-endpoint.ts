import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createEventStore } from "./event-store.ts";
import type { Exchange } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";
import { RPC, sendNotAllowed, sendRpcError } from "./reply.ts";
import { admit, type HeldSession, type ServerFactory, type Sessions } from "./sessions.ts";
import { isEventStream, sendWebResponse } from "./web-bridge.ts";

export interface StreamableOptions {
  readonly factory: ServerFactory;
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
}

/** Streamable HTTP for clients up to 2025-11-25, who begin with `initialize` and then name their session. */
export function createStreamableEndpoint(options: StreamableOptions) {
  const { factory, sessions, streams, keepAliveMs } = options;

  async function open(exchange: Exchange): Promise<HeldSession | undefined> {
    const { principal, response } = exchange;
    const opened = admit(sessions, principal.subject, response, (id) => {
      const mcp = factory({ era: "legacy" });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        eventStore: createEventStore(),
        keepAliveMs,
      });
      transport.onclose = () => sessions.remove(id);
      return { kind: "streamable", mcp, transport, close: () => mcp.close() };
    });
    if (opened?.value.kind === "streamable") await opened.value.mcp.connect(opened.value.transport);
    return opened;
  }

  async function handOver(
    session: HeldSession,
    exchange: Exchange,
    webRequest: Request,
    body: unknown,
  ): Promise<void> {
    if (session.value.kind !== "streamable") return;
    const leave = session.enter();
    try {
      const answer = await session.value.transport.handleRequest(webRequest, { parsedBody: body });
      if (exchange.request.method === "GET" && isEventStream(answer)) {
        streams.add(exchange.response, exchange.principal);
      }
      await sendWebResponse(answer, exchange.response);
    } finally {
      leave();
    }
  }

  return async (exchange: Exchange, webRequest: Request, body: unknown): Promise<void> => {
    const { request, response, principal } = exchange;
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") {
      const session = sessions.find(id, principal.subject);
      if (session?.value.kind === "streamable") return handOver(session, exchange, webRequest, body);
      return sendRpcError(response, 404, RPC.sessionNotFound, "Session not found");
    }
    if (request.method !== "POST") return sendNotAllowed(response, "POST");
    if (!isInitializeRequest(body)) {
      const message = "Bad Request: begin with initialize, then send its Mcp-Session-Id with every request.";
      return sendRpcError(response, 400, RPC.refused, message);
    }
    const session = await open(exchange);
    if (session?.value.kind !== "streamable") return undefined;
    await handOver(session, exchange, webRequest, body);
    // A request that the transport refused began no session.
    if (session.value.transport.sessionId === undefined) await session.value.close();
    return undefined;
  };
}
