import {
  type CacheHint,
  McpServer,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { Log } from "#util";
import type { ReadableSkills } from "../resources/read-resource.ts";
import { createPublisher } from "./publication.ts";
import { createSkillSource, type LeftOut } from "./skill-source.ts";

type Era = "legacy" | "modern";
type ExtensionHandler = (params: unknown, context: ServerContext) => Promise<Result>;

export interface HandlerOptions {
  readonly skills: ReadableSkills;
  readonly cacheHint: CacheHint;
  readonly log: Log;
}

/** The SDK's answers to the methods of the Skills extension. */
export type ExtensionHandlers = ReturnType<typeof createExtensionHandlers>;

const MOST_NAMED = 5;

/** The SDK marks its extension API as experimental: only this file uses it. */
export function createExtensionHandlers({ skills: served, cacheHint, log }: HandlerOptions) {
  let logged = false;
  const logOnce = (skills: readonly LeftOut[]): void => {
    if (logged || skills.length === 0) return;
    logged = true;
    log.warn(leftOutLine(skills));
  };
  const extension = new SkillsExtension({
    source: createSkillSource({ served, publisher: createPublisher(), onLeftOut: logOnce }),
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

const INFO = { name: "skills-mcp", version: "0" };

/** Keeps the handlers that are set, and is never connected. */
class StageServer extends Server {
  /** Made by the first call, which comes from the constructor of the SDK. */
  declare handlers?: Map<string, ExtensionHandler>;
  readonly #version: string;

  constructor(version: string) {
    super(INFO);
    this.#version = version;
  }

  override getNegotiatedProtocolVersion(): string {
    return this.#version;
  }

  override setRequestHandler(method: string, ...more: readonly unknown[]): void {
    this.handlers ??= new Map();
    this.handlers.set(method, more.at(-1) as ExtensionHandler);
  }
}

/** What the extension is attached to, to learn its answers in this version: the two eras are answered differently. */
class Stage extends McpServer {
  override readonly server: StageServer;

  constructor(version: string) {
    super(INFO);
    this.server = new StageServer(version);
  }
}

function handlersOf(extension: SkillsExtension, version: string): ReadonlyMap<string, ExtensionHandler> {
  const stage = new Stage(version);
  extension.attach(stage);
  return stage.server.handlers ?? new Map();
}

function leftOutLine(skills: readonly LeftOut[]): string {
  const shown = skills.slice(0, MOST_NAMED).map(({ name, problem }) => `'${name}': ${problem.message}`);
  const more = skills.length - shown.length;
  const count = skills.length === 1 ? "1 skill is" : `${skills.length} skills are`;
  return [
    `${count} not published through the Skills extension, because hosts would refuse them; the tools still serve them.`,
    ...shown,
    ...(more > 0 ? [`And ${more} more; 'skills-mcp info <name>' shows the reason.`] : []),
  ].join(" ");
}
