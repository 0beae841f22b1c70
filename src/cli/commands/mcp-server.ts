import { DEFAULT_TOOLS } from "../../mcp/definitions/tool-sets.ts";
import { defineCommand } from "../command.ts";
import { runMcpServer } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

const DEFAULT_ROOT = "./skills";

/** `skills-mcp mcp-server [--root ./skills]`: one folder as a catalog, and nothing else of the machine. */
export const command = defineCommand({
  name: "mcp-server",
  flags: {
    ...SERVER_FLAGS,
    root: { ...SERVER_FLAGS.root, help: `folder to serve (default ${DEFAULT_ROOT})` },
  },
  takes: "none",
  run({ given, log }) {
    const root = given.root ?? DEFAULT_ROOT;
    const view = {
      skillDirs: [...given["skill-dir"], root],
      scanDefaultDirs: false,
      skipPlugins: true,
      catalogRoot: root,
    };
    return runMcpServer(given, { defaultTools: DEFAULT_TOOLS.catalog, view }, log);
  },
});
