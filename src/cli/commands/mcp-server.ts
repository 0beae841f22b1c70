import { defineCommand } from "../command.ts";
import { DEFAULT_ROOT, STDIO_COMMANDS } from "../plan-server.ts";
import { runMcpServer } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp mcp-server [--root ./skills]`: one folder as a catalog, and nothing else of the machine. */
export const command = defineCommand({
  name: "mcp-server",
  flags: {
    ...SERVER_FLAGS,
    root: { ...SERVER_FLAGS.root, help: `folder to serve (default ${DEFAULT_ROOT})` },
  },
  takes: "none",
  run: ({ given, log }) => runMcpServer(given, STDIO_COMMANDS["mcp-server"](given), log),
});
