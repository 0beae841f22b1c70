import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "cursor",
  title: "Cursor",
  instructions: [".cursorrules"], // docs
  alsoCalled: ["cursor-vscode"], // clientInfo
  folders: inBoth(".cursor/skills"), // skills, docs
  client: { name: "cursor" },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://cursor.com/docs/context/mcp",
    tokenEnv: { header: (variable) => `Bearer \${env:${variable}}` }, // docs
    user: ["~/.cursor/mcp.json"],
    project: [".cursor/mcp.json"],
    folders: ["~/.cursor"],
    programs: ["cursor", "cursor-agent"],
    startsScripts: true,
    next: "Enable the server in Cursor's settings, under MCP.",
  },
};
