import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";

/** The HTTP+SSE transport of protocol 2024-11-05: a stream to the client, and an address for its messages. */
export interface SseTransport extends Transport {
  /** Hands over a message that came in by POST. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo): void;
  keepAlive(): void;
  /** Whether an answer is owed. */
  isBusy(): boolean;
}

/** A client that reads nothing must not fill our memory. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;

export function createSseTransport(
  response: ServerResponse,
  sessionId: string,
  endpoint: string,
): SseTransport {
  let closed = false;
  const owed = new Set<string | number>();
  const write = (text: string): void => {
    if (closed || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  };
  const transport: SseTransport = {
    sessionId,
    start() {
      response.once("close", () => void transport.close());
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
      });
      write(`event: endpoint\ndata: ${endpoint}\n\n`);
      return Promise.resolve();
    },
    send(message) {
      if (!("method" in message) && message.id !== undefined) owed.delete(message.id);
      write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      return Promise.resolve();
    },
    receive(message, extra) {
      if ("method" in message && "id" in message) owed.add(message.id);
      transport.onmessage?.(message, extra);
    },
    isBusy: () => owed.size > 0,
    keepAlive: () => write(": keep-alive\n\n"),
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      response.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
