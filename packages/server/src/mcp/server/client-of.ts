import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";

type Handler = (request: unknown, context: ServerContext) => unknown;

/**
 * The client of a server, as soon as it has sent a request. In the modern era each request names it, and a server that is not
 * for a single request has a single client.
 */
export function followClient(server: McpServer["server"]): () => ClientInfo | undefined {
  let client: ClientInfo | undefined;
  const target = server as unknown as { setRequestHandler(method: string, ...more: unknown[]): void };
  const setHandler = target.setRequestHandler.bind(server);
  target.setRequestHandler = (method, ...more) => {
    const handler = more.pop() as Handler;
    const following: Handler = (request, context) => {
      client = clientOf(server, context);
      return handler(request, context);
    };
    setHandler(method, ...more, following);
  };
  return () => client ?? server.getClientVersion();
}

/** The client names itself in `initialize` or, in the modern era, with every request. */
export function clientOf(server: McpServer["server"], context: ServerContext): ClientInfo | undefined {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("name" in info) || typeof info.name !== "string")
    return server.getClientVersion();
  return "version" in info && typeof info.version === "string"
    ? { name: info.name, version: info.version }
    : { name: info.name };
}
