import { DEFAULT_TOOLS } from "../../mcp/definitions/tool-sets.ts";
import { defineCommand } from "../command.ts";
import { runMcpServer } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp mcp`: serves skills to an agent; with `--root` also as a catalog of that folder. */
export const command = defineCommand({
  name: "mcp",
  flags: SERVER_FLAGS,
  takes: "none",
  run({ given, log }) {
    const { root } = given;
    const options =
      root === undefined
        ? { defaultTools: DEFAULT_TOOLS.loader }
        : { defaultTools: DEFAULT_TOOLS.loaderAndCatalog, view: { catalogRoot: root } };
    return runMcpServer(given, options, log);
  },
});
