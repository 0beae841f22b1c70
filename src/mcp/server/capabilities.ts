import { VERSION } from "../../version.ts";
import { instructionsFor, type ToolSelection } from "../definitions/tool-sets.ts";

/** The settings that decide a server's capabilities. */
export interface CapabilitySettings {
  readonly tools: ToolSelection;
  /** Dotted when absent. */
  readonly toolNames?: "dotted" | "underscore";
  /** Whether each skill is a prompt too; yes when absent. */
  readonly prompts?: boolean;
  /** Whether the server watches or polls, and so can announce changes. */
  readonly announcesChanges: boolean;
}

/** What a server declares in `initialize`. It depends on flags alone: no skill and no SDK is needed. */
export type ServerCapabilities = ReturnType<typeof capabilitiesOf>;

export function capabilitiesOf({
  tools,
  toolNames,
  prompts = true,
  announcesChanges: listChanged,
}: CapabilitySettings) {
  return {
    serverInfo: { name: "skills-mcp", title: "Skills", version: VERSION },
    capabilities: {
      tools: { listChanged },
      resources: { listChanged, subscribe: listChanged },
      ...(prompts ? { prompts: { listChanged } } : {}),
      completions: {},
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    },
    instructions: instructionsFor(tools, toolNames),
  };
}
