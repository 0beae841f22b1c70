import type { Agent } from "../agent.ts";
import { JSON_SERVERS, TYPED } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "vscode-insiders",
  title: "VS Code Insiders",
  connect: {
    ...JSON_SERVERS,
    ...TYPED,
    documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    keys: ["servers"],
    user: ["<app>/Code - Insiders/User/mcp.json"],
    folders: ["<app>/Code - Insiders"],
    programs: ["code-insiders"],
    startsScripts: true,
    next: "Start the server in VS Code with the command “MCP: List Servers”, and trust it.",
  },
};
