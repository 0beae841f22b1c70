import { defineCommand } from "../command.ts";
import { STDIO_COMMANDS } from "../plan-server.ts";
import { runServer } from "../run-server.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp mcp`: serves skills to an agent; with `--root` also as a catalog of that folder. */
export const command = defineCommand({
  name: "mcp",
  summary: "serve skills over MCP (the default)",
  order: 10,
  bundle: "server",
  isServer: true,
  examples: ["mcp", "mcp --transport http --port 4700"],
  flags: SERVER_FLAGS,
  takes: "none",
  // On stdio an agent started it: whatever is wrong, the server answers and says so.
  runsDespiteFiles: true,
  run: (invocation) => runServer(invocation, STDIO_COMMANDS.mcp(invocation.given)),
});
