import type { IncomingMessage, ServerResponse } from "node:http";
import type { RepoState } from "#sources";
import { createServerFactory } from "../mcp/server/create-server.ts";
import type { ServerSettings } from "../mcp/server/settings.ts";
import type { Services } from "../services.ts";
import { createService } from "./server/create-http-server.ts";
import { DEFAULT_HTTP_LIMITS, type HttpServerOptions } from "./server/options.ts";

interface McpHandlerOptions extends Pick<HttpServerOptions, "allowedHosts" | "allowedOrigins"> {
  readonly services: Services;
  readonly settings: ServerSettings;
  readonly git: () => readonly RepoState[];
}

const MCP_PATH = /^\/mcp(?:\?|$)/;

/** MCP at `/mcp` of an HTTP server that somebody else opened, and that decides who may call it. */
export function createMcpHandler({ services, settings, ...others }: McpHandlerOptions) {
  const service = createService(
    {
      ...others,
      services,
      factory: createServerFactory(services, settings),
      host: "localhost",
      port: 0,
      sseOnly: false,
      publicUrl: undefined,
      auth: undefined,
      page: undefined,
      log: settings.log,
    },
    DEFAULT_HTTP_LIMITS,
  );
  return {
    /** Answers a request to `/mcp`; false for any other, which is left alone. */
    handle(request: IncomingMessage, response: ServerResponse): boolean {
      if (!MCP_PATH.test(request.url ?? "")) return false;
      service.serve(request, response);
      return true;
    },
    /** Ends its streams and sessions. */
    async close(): Promise<void> {
      await service.beginShutdown();
      await service.close();
    },
  };
}
