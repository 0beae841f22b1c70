import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "claude-desktop",
  title: "Claude Desktop",
  client: { name: "claude-ai" },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    user: ["<app>/Claude/claude_desktop_config.json"],
    folders: ["<app>/Claude"],
    remote: undefined,
    next: "Quit Claude Desktop and start it again.",
  },
};
