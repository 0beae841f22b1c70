import { type CacheHint, McpServer, type Result, type ServerContext } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { App } from "../../app/create-app.ts";
import type { Log } from "../../system/log.ts";
import { createPublisher } from "./publication.ts";
import { createSkillSource } from "./skill-source.ts";

type Era = "legacy" | "modern";
type Handler = (params: unknown, context: ServerContext) => Promise<Result>;

export interface HandlerOptions {
  readonly app: App;
  readonly cacheHint: CacheHint;
  readonly log: Log;
}

/** The SDK's answers to the methods of the Skills extension. */
export type ExtensionHandlers = ReturnType<typeof createExtensionHandlers>;

const MOST_NAMED = 5;

/** The SDK marks its extension API as experimental: only this file uses it. */
export function createExtensionHandlers({ app, cacheHint, log }: HandlerOptions) {
  let logged = false;
  const logOnce = (names: readonly string[]): void => {
    if (logged || names.length === 0) return;
    logged = true;
    log.warn(leftOutLine(names));
  };
  const extension = new SkillsExtension({
    source: createSkillSource({ app, publisher: createPublisher(), onLeftOut: logOnce }),
    cacheHint,
    // A problem that our own checks missed.
    onWarning: ({ path, message }) => log.warn(`${path}: ${message}`),
  });
  const handlers = {
    legacy: handlersOf(extension, "2025-11-25"),
    modern: handlersOf(extension, "2026-07-28"),
  };
  return {
    async answer(era: Era, method: string, params: unknown, context: ServerContext): Promise<Result> {
      const handler = handlers[era].get(method);
      if (handler === undefined) throw new Error(`The Skills extension has no handler for ${method}.`);
      return handler(params, context);
    },
  };
}

/** What the extension would register with a server that speaks this version: the two eras are answered differently. */
function handlersOf(extension: SkillsExtension, version: string): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  const stage = new McpServer({ name: "skills-mcp", version: "0" });
  Object.assign(stage.server, {
    getNegotiatedProtocolVersion: () => version,
    setRequestHandler: (method: string, _schemas: unknown, handler: Handler) => handlers.set(method, handler),
  });
  extension.attach(stage);
  return handlers;
}

function leftOutLine(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const skills = names.length === 1 ? "1 skill is" : `${names.length} skills are`;
  return `${skills} not published through the Skills extension, which accepts only skills that follow the specification strictly: ${shown}${more}. The tools still serve them; 'skills-mcp info <name>' shows the reason.`;
}
