import { VERSION } from "../../version.ts";
import { instructionsFor, type ToolSelection } from "../definitions/tool-sets.ts";

/** What decides how a server introduces itself. */
export interface OfferSettings {
  readonly tools: ToolSelection;
  /** Dotted when absent. */
  readonly toolNames?: "dotted" | "underscore";
  /** Whether each skill is a prompt too; yes when absent. */
  readonly prompts?: boolean;
  /** Whether anything can notice a change and announce it. */
  readonly announcesChanges: boolean;
}

/** How a server introduces itself. It is known before a skill is read or the SDK is loaded. */
export type Offer = ReturnType<typeof offerOf>;

export function offerOf({ tools, toolNames, prompts = true, announcesChanges: listChanged }: OfferSettings) {
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
