import { runToggle, toggleFlags } from "../toggle.ts";
import type { Command } from "../command.ts";

export const flags = toggleFlags;

/** `skills-mcp disable <name>`. */
export const command: Command = {
  run: (args, terminal) => runToggle("disable", args, terminal),
};
