// The floor below every server made with the SDK: as it is installed, not bundled, with one tool that only answers.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const LINE = "1. Prefer small reversible steps and verify each one before you continue.\n";
const CONSTANT = LINE.repeat(256);

serveStdio(() => {
  const mcp = new McpServer({ name: "empty", version: "1.0.0" }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "constant", inputSchema: { type: "object" } }],
  }));
  mcp.server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: CONSTANT.slice(0, params.arguments.size) }],
  }));
  return mcp;
});
