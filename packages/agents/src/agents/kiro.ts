import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "kiro",
  title: "Kiro",
  folders: inBoth(".kiro/skills"), // skills
  connect: {
    ...JSON_SERVERS,
    documentation: "https://kiro.dev/docs/mcp/configuration",
    user: ["~/.kiro/settings/mcp.json"],
    project: [".kiro/settings/mcp.json"],
    folders: ["~/.kiro"],
    programs: ["kiro", "kiro-cli"],
    next: "Kiro starts the server at once; its MCP Servers view shows it.",
  },
};
