import { runToggle, toggleFlags } from "../toggle.ts";
import type { Command } from "../command.ts";

export const flags = toggleFlags;

/** `skills-mcp enable <name>`. */
export const command: Command = {
  run: (args, terminal) => runToggle("enable", args, terminal),
};
