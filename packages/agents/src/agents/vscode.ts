import type { Agent } from "../agent.ts";
import { ENTRY_NAME, formOf, JSON_SERVERS, TYPED } from "../connect/entry-forms.ts";
import { HOOK_LIKE_COPILOT } from "../hooks/hook-form.ts";

export const agent: Agent = {
  id: "vscode",
  title: "VS Code",
  client: { name: "visual-studio-code" },
  connect: {
    ...JSON_SERVERS,
    ...TYPED,
    documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    keys: ["servers"],
    user: ["<app>/Code/User/mcp.json"],
    project: [".vscode/mcp.json"],
    folders: ["<app>/Code"],
    programs: ["code"],
    startsScripts: true,
    add: (connection) =>
      `code --add-mcp '${JSON.stringify({ name: ENTRY_NAME, ...formOf(TYPED, connection) })}'`,
    next: "Start the server in VS Code with the command “MCP: List Servers”, and trust it.",
  },
  hook: {
    ...HOOK_LIKE_COPILOT,
    documentation: "https://code.visualstudio.com/docs/copilot/customization/hooks",
    tool: "mcp_skills_skill",
    next: "Start a new chat in VS Code; the output channel “GitHub Copilot Chat Hooks” shows the hook.",
  },
};
