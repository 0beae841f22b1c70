import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Log } from "#util";
import { defined } from "#util/pure";
import type { ReadableSkills } from "../resources/read-resource.ts";
import { createPublisher } from "./publication.ts";
import { createSkillSource, type LeftOut } from "./skill-source.ts";

export interface HandlerOptions {
  readonly skills: ReadableSkills;
  readonly cacheHint: CacheHint;
  readonly log: Log;
}

export type ExtensionHandlers = ReturnType<typeof createExtensionHandlers>;

/** The parameters of all methods of the extension; each is checked before it is answered. */
export interface ExtensionParams {
  readonly uri?: string | undefined;
  readonly cursor?: string | undefined;
}

const MOST_NAMED = 5;

/**
 * Answers the methods of the Skills extension. The SDK's own extension can only be attached to one of its servers, where it would
 * register resources too; see ../SDK.md.
 */
export function createExtensionHandlers({ skills: served, cacheHint, log }: HandlerOptions) {
  let logged = false;
  const logOnce = (skills: readonly LeftOut[]): void => {
    if (logged || skills.length === 0) return;
    logged = true;
    log.warn(leftOutLine(skills));
  };
  const source = createSkillSource({ served, publisher: createPublisher(), onLeftOut: logOnce });
  const methods: Readonly<
    Record<string, (params: ExtensionParams, context: ServerContext) => Promise<Result>>
  > = {
    "skills/list": async ({ cursor }, context) => ({
      ...(await source.list({ ...defined({ cursor }) }, context)),
    }),
    async "skills/get"({ uri = "" }, context) {
      const skill = await source.get(uri, context);
      if (skill === undefined) throw invalid(`No skill is served at ${uri}`);
      return { skill };
    },
    async "resources/directory/read"({ uri = "", cursor }, context) {
      const page = await source.readDirectory(uri, { ...defined({ cursor }) }, context);
      if (page === undefined) throw invalid(`${uri} is not a directory resource`);
      return { ...page };
    },
  };
  return {
    /** Only the modern era has cache hints. */
    async answer(
      era: "legacy" | "modern",
      method: string,
      params: ExtensionParams,
      context: ServerContext,
    ): Promise<Result> {
      const answerOf = methods[method];
      if (answerOf === undefined) throw new Error(`The Skills extension has no method ${method}.`);
      const answer = await answerOf(params, context);
      return era === "modern" ? { ...answer, ...cacheHint } : answer;
    },
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
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
