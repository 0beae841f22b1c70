import { DEFAULT_TOOLS } from "../../mcp/definitions/tool-sets.ts";
import type { Command } from "../command.ts";
import { parseFlags, refusePositionals } from "../flags.ts";
import { serveMcp } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

const DEFAULT_ROOT = "./skills";

export const flags = SERVER_FLAGS;

/** `skills-mcp mcp-server [--root ./skills]`: one folder as a catalog, and nothing else of the machine. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("mcp-server", positionals);
    const root = given.root ?? DEFAULT_ROOT;
    const view = {
      skillDirs: [...given["skill-dir"], root],
      scanDefaultDirs: false,
      skipPlugins: true,
      catalogRoot: root,
    };
    return serveMcp(given, { defaultTools: DEFAULT_TOOLS.catalog, view }, terminal);
  },
};
