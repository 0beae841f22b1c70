import type { Command } from "../command.ts";
import { runToggle, toggleFlags } from "../toggle.ts";

export const flags = toggleFlags;

/** `skills-mcp disable <name>`. */
export const command: Command = {
  run: (args, terminal) => runToggle("disable", args, terminal),
};
