import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "windsurf",
  title: "Windsurf",
  instructions: [".windsurfrules"], // docs
  folders: { project: [".windsurf/skills"], user: [".codeium/windsurf/skills"] }, // skills
  client: { name: "windsurf" },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://docs.windsurf.com/windsurf/cascade/mcp",
    tokenEnv: { header: (variable) => `Bearer \${env:${variable}}` }, // docs
    user: ["~/.codeium/windsurf/mcp_config.json"],
    folders: ["~/.codeium/windsurf"],
    programs: ["windsurf"],
    remote: (serverUrl, headers) => ({ serverUrl, ...headers }),
    next: "Refresh the MCP servers in Windsurf's Cascade panel.",
  },
};
