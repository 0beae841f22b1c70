import type { McpServer } from "@modelcontextprotocol/server";
import { looseObject, optional, string } from "zod";
import type { ExtensionHandlers, HandlerOptions } from "./extension-handlers.ts";

const PARAMS = {
  "skills/list": looseObject({ cursor: optional(string()) }),
  "skills/get": looseObject({ uri: string() }),
  "resources/directory/read": looseObject({ uri: string(), cursor: optional(string()) }),
} as const;

/**
 * The Skills extension over our own skills, one for all sessions. Few clients use it yet, and the SDK's part of it would
 * slow every start and every request of the modern era, so it is loaded with the first request.
 */
export function createSkillsExtension(options: HandlerOptions): {
  readonly attach: (server: McpServer["server"], era: "legacy" | "modern") => void;
} {
  let loaded: Promise<ExtensionHandlers> | undefined;
  const handlers = (): Promise<ExtensionHandlers> => {
    loaded ??= import("./extension-handlers.ts").then(({ createExtensionHandlers }) =>
      createExtensionHandlers(options),
    );
    return loaded;
  };
  return {
    attach(server, era) {
      for (const [method, params] of Object.entries(PARAMS)) {
        server.setRequestHandler(method, { params }, async (given, context) =>
          (await handlers()).answer(era, method, given, context),
        );
      }
    },
  };
}
