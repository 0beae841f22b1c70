import { defineCommand } from "../command.ts";
import { DEFAULT_ROOT, STDIO_COMMANDS } from "../plan-server.ts";
import { runServer } from "../run-server.ts";
import { SERVER_FLAGS } from "../server-flags.ts";

/** `skills-mcp mcp-server [--root ./skills]`: one folder as a catalog, and nothing else of the machine. */
export const command = defineCommand({
  name: "mcp-server",
  summary: "serve only one folder, with the catalog tools",
  order: 20,
  bundle: "server",
  isServer: true,
  examples: ["mcp-server --root ./skills"],
  flags: {
    ...SERVER_FLAGS,
    root: { ...SERVER_FLAGS.root, help: `folder to serve (default ${DEFAULT_ROOT})` },
  },
  takes: "none",
  // On stdio an agent started it: whatever is wrong, the server answers and says so.
  runsDespiteFiles: true,
  // It serves one folder, whatever else people have set up for their agents.
  usesFiles: false,
  run: (invocation) => runServer(invocation, STDIO_COMMANDS["mcp-server"](invocation.given)),
});
