import type { Command } from "../command.ts";
import { runToggle, toggleFlags } from "../toggle.ts";

export const flags = toggleFlags;

/** `skills-mcp enable <name>`. */
export const command: Command = {
  run: (args, terminal) => runToggle("enable", args, terminal),
};
