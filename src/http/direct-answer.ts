import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, McpServer, Transport } from "@modelcontextprotocol/server";

/**
 * Lets a server that answers one request write its result straight to Node's response. The SDK would wrap it in a
 * `Response`, whose body is a stream that we would only read to its end again. Errors, whose status the SDK knows, and
 * everything that follows a progress notice go the SDK's way.
 */
export function answerDirectly(mcp: McpServer, onResult: (message: JSONRPCMessage) => void): void {
  mcp.connect = (theirs) => mcp.server.connect(directTransport(theirs, onResult));
}

function directTransport(theirs: Transport, onResult: (message: JSONRPCMessage) => void): Transport {
  let goesTheirWay = false;
  let answered = false;
  const transport: Transport = {
    start: () => theirs.start(),
    send(message, options) {
      if (answered) return Promise.resolve();
      if (goesTheirWay || !("result" in message)) {
        goesTheirWay = true;
        return theirs.send(message, options);
      }
      answered = true;
      onResult(message);
      // Not at once: whoever sends is not done yet. Their transport still waits for the answer, and is dropped with all
      // that waits for it.
      queueMicrotask(() => transport.onclose?.());
      return Promise.resolve();
    },
    close: () => (answered ? Promise.resolve() : theirs.close()),
  };
  theirs.onmessage = (message, extra) => transport.onmessage?.(message, extra);
  theirs.onerror = (error) => transport.onerror?.(error);
  theirs.onclose = () => {
    if (!answered) transport.onclose?.();
  };
  return transport;
}

export function sendResult(response: ServerResponse, message: JSONRPCMessage): void {
  if (response.destroyed) return;
  const text = JSON.stringify(message);
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}
