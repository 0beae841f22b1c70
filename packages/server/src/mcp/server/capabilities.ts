import type { CacheHint, ServerOptions } from "@modelcontextprotocol/server";
import type { SettingsProblem } from "#skills";
import { VERSION } from "#util";
import { cutText } from "#util/pure";
import { instructionsFor, type ToolSelection } from "../definitions/tool-sets.ts";
import { settingsNotice } from "../describe/settings-notice.ts";
import type { ServerSettings } from "./settings.ts";

/** A client waits for its handshake no longer than this; the instructions then name no skills. */
export const LONGEST_HANDSHAKE_MS = 500;

/** The settings that decide a server's capabilities. */
export interface CapabilitySettings {
  readonly tools: ToolSelection;
  /** Dotted when absent. */
  readonly toolNames?: "dotted" | "underscore";
  /** Whether each skill is a prompt too; yes when absent. */
  readonly prompts?: boolean;
  /** The most characters of the instructions; depends on the client when absent. */
  readonly instructionsBudget?: number | undefined;
  /** Whether the server watches or polls, and so can announce changes. */
  readonly announcesChanges: boolean;
  /** What is wrong in the settings; nothing when absent. */
  readonly wrongSettings?: readonly SettingsProblem[];
}

/**
 * What a server declares in `initialize`. It depends on flags alone: no skill and no SDK is needed. The instructions are
 * those of a server that does not know its skills yet.
 */
export type ServerCapabilities = ReturnType<typeof capabilitiesOf>;

export function capabilitiesOf({
  tools,
  toolNames,
  prompts = true,
  announcesChanges: listChanged,
  instructionsBudget,
  wrongSettings,
}: CapabilitySettings) {
  const notice = wrongSettings && settingsNotice(wrongSettings);
  const guidance = instructionsFor(tools, toolNames);
  const instructions = notice === undefined ? guidance : `${notice}\n${guidance}`;
  return {
    serverInfo: { name: "skills-mcp", title: "Skills", version: VERSION },
    capabilities: {
      tools: { listChanged },
      resources: { listChanged, subscribe: listChanged },
      ...(prompts ? { prompts: { listChanged } } : {}),
      completions: {},
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    },
    instructions:
      instructionsBudget === 0 ? undefined : cutText(instructions, instructionsBudget ?? instructions.length),
  };
}

/** Whether the instructions of a server name its skills, and so depend on more than its flags. */
export function instructionsNameSkills({ tools, instructionsBudget }: CapabilitySettings): boolean {
  return [...tools.always, ...tools.auto].includes("skill") && instructionsBudget !== 0;
}

type CacheHints = NonNullable<ServerOptions["cacheHints"]>;

/** Lists change with the next scan: until then a client may cache them. */
export function listHint({ listsLastMs = 0, cacheScope = "public" }: ServerSettings): CacheHint {
  return { ttlMs: listsLastMs, cacheScope };
}

/** How long, and for whom, the answers of the modern era may be cached. */
export function cacheHints(settings: ServerSettings): CacheHints {
  const list = listHint(settings);
  return {
    // What these list depends on the client that asks.
    "server/discover": { ...list, cacheScope: "private" },
    "tools/list": { ...list, cacheScope: "private" },
    "prompts/list": { ...list, cacheScope: "private" },
    "resources/list": list,
    "resources/templates/list": list,
    // Always read from the disk.
    "resources/read": { ...list, ttlMs: 0 },
  };
}
