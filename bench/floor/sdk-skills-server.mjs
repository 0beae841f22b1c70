// The SDK's own skills extension over one folder, as its documentation wires it. `node sdk-skills-server.mjs <dir>`
import { McpServer } from "@modelcontextprotocol/server";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const skills = await loadSkills(process.argv[2], { onWarning: () => {} });

serveStdio(() => {
  const mcp = new McpServer({ name: "sdk-skills", version: "1.0.0" }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler("tools/list", () => ({ tools: [] }));
  skills.attach(mcp);
  return mcp;
});
