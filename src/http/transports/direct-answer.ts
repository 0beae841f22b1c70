import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, McpServer, Transport } from "@modelcontextprotocol/server";

/**
 * Lets a server that answers one request write its result straight to Node's response. The SDK would wrap it in a
 * `Response`, whose body is a stream that we would only read to its end again. Errors, whose status the SDK knows, and
 * everything that follows a progress notice go the SDK's way.
 */
export function answerDirectly(mcp: McpServer, onResult: (message: JSONRPCMessage) => void): void {
  const { server } = mcp;
  mcp.connect = (theirs) => {
    let state: "waits" | "goes-their-way" | "answered" = "waits";
    const ours: Transport = {
      start: () => theirs.start(),
      send(message, options) {
        if (state === "answered") return Promise.resolve();
        if (state === "goes-their-way" || !("result" in message)) {
          state = "goes-their-way";
          return theirs.send(message, options);
        }
        state = "answered";
        onResult(message);
        // Who keeps the server learns that it is done. Neither it nor their transport, which still waits for the
        // answer, is closed with all that this takes: nobody holds them any more.
        server.onclose?.();
        return Promise.resolve();
      },
      close: () => theirs.close(),
    };
    theirs.onmessage = (message, extra) => ours.onmessage?.(message, extra);
    theirs.onerror = (error) => ours.onerror?.(error);
    theirs.onclose = () => ours.onclose?.();
    return server.connect(ours);
  };
}

export function sendResult(response: ServerResponse, message: JSONRPCMessage): void {
  if (response.destroyed) return;
  const text = JSON.stringify(message);
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}
