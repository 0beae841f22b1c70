import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";
import { clientInMeta, fieldsOf, isRequest, metaOf } from "./message-parts.ts";
import type { Step } from "./pipeline.ts";

/**
 * Learns the client of a server from its requests: since 2026-07-28 each one names it, and a server that is not for a single
 * request has a single client.
 */
export function followClient(server: McpServer["server"]): {
  readonly step: Step;
  /** Undefined until the client has sent a request. */
  readonly client: () => ClientInfo | undefined;
} {
  let named: ClientInfo | undefined;
  return {
    client: () => named ?? server.getClientVersion(),
    step: {
      receive(message, extra, next) {
        if (isRequest(message)) named = clientInMeta(metaOf(message));
        next(message, extra);
      },
    },
  };
}

/** The client of a request: it names itself in `initialize` or, since 2026-07-28, in every request. */
export function clientOf(server: McpServer["server"], context: ServerContext): ClientInfo | undefined {
  return clientInMeta(fieldsOf(context.mcpReq.envelope)) ?? server.getClientVersion();
}
