import { isInitializeRequest, isJsonContentType, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { callerInfo } from "../auth/caller-info.ts";
import type { Exchange } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { RPC, sendRpcError } from "../server/reply.ts";
import { toWebRequest } from "../server/web-bridge.ts";
import { admit, type ServerFactory, type Sessions } from "./sessions.ts";
import { createSseTransport } from "./sse-transport.ts";

export const MESSAGES_PATH = "/messages";

export interface SseOptions {
  readonly factory: ServerFactory;
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
  readonly uninitialisedMs: number;
  /** What a proxy cuts off our paths, with a slash at its beginning; mostly nothing. */
  readonly prefix: string;
}

/** HTTP+SSE, for clients of protocol 2024-11-05. Everything that serves them is in this file and its transport. */
export function createSseEndpoint(options: SseOptions) {
  const { factory, sessions, streams, keepAliveMs, uninitialisedMs, prefix } = options;
  const waiting = new Map<string, NodeJS.Timeout>();
  const beat = setInterval(() => {
    for (const { value } of sessions.values()) if (value.kind === "sse") value.transport.keepAlive();
  }, keepAliveMs).unref();

  function forget(id: string): void {
    clearTimeout(waiting.get(id));
    waiting.delete(id);
  }

  return {
    /** Opens the stream; its first event says where messages go. */
    async open({ response, principal }: Exchange): Promise<void> {
      const session = admit(sessions, principal.subject, response, (id) => {
        const mcp = factory({ era: "legacy", ...callerInfo(principal) });
        const endpoint = `${prefix}${MESSAGES_PATH}?sessionId=${id}`;
        const transport = createSseTransport(response, id, endpoint);
        transport.onclose = () => {
          forget(id);
          sessions.remove(id);
        };
        return { kind: "sse", mcp, transport, close: () => mcp.close() };
      });
      if (session === undefined) return;
      const { id, value } = session;
      // The open stream is its use; it ends with the stream.
      session.enter();
      streams.add(response, principal);
      waiting.set(id, setTimeout(() => void value.close(), uninitialisedMs).unref());
      await value.mcp.connect(value.transport);
    },

    /** Takes a message; its answer goes out on the stream. */
    receive({ request, response, query, principal }: Exchange, body: unknown): void {
      const id = query.get("sessionId");
      if (id === null || id === "") {
        return sendRpcError(response, 400, RPC.refused, "Bad Request: the address wants ?sessionId=<id>.");
      }
      const session = sessions.find(id, principal.subject);
      if (session?.value.kind !== "sse") {
        return sendRpcError(response, 404, RPC.sessionNotFound, "Session not found");
      }
      if (!isJsonContentType(request.headers["content-type"])) {
        return sendRpcError(response, 415, RPC.refused, "The content type must be application/json.");
      }
      let message: ReturnType<typeof parseJSONRPCMessage>;
      try {
        message = parseJSONRPCMessage(body);
      } catch {
        return sendRpcError(response, 400, RPC.parseError, "Parse error: not a JSON-RPC message.");
      }
      if (isInitializeRequest(message)) forget(id);
      const webRequest = toWebRequest(request, response);
      response.writeHead(202).end("Accepted");
      session.value.transport.receive(message, { request: webRequest });
      return undefined;
    },

    close: () => clearInterval(beat),
  };
}
