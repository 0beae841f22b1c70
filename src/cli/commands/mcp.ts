import { DEFAULT_TOOLS } from "../../mcp/definitions/tool-sets.ts";
import type { Command } from "../command.ts";
import { parseFlags, refusePositionals } from "../flags.ts";
import { serveMcp } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

export const flags = SERVER_FLAGS;

/** `skills-mcp mcp`: serves skills to an agent; with `--root` also as a catalog of that folder. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("mcp", positionals);
    const { root } = given;
    const options =
      root === undefined
        ? { defaultTools: DEFAULT_TOOLS.loader }
        : { defaultTools: DEFAULT_TOOLS.loaderAndCatalog, view: { catalogRoot: root } };
    return serveMcp(given, options, terminal);
  },
};
