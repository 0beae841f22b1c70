import { defineCommand } from "../command.ts";
import { STDIO_COMMANDS } from "../plan-server.ts";
import { runMcpServer } from "../serve-mcp.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp mcp`: serves skills to an agent; with `--root` also as a catalog of that folder. */
export const command = defineCommand({
  name: "mcp",
  flags: SERVER_FLAGS,
  takes: "none",
  run: ({ given, log }) => runMcpServer(given, STDIO_COMMANDS.mcp(given), log),
});
