import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

/** Its skills and its name in `clientInfo` are those of Cline. */
export const agent: Agent = {
  id: "cline-vscode",
  title: "Cline (VS Code)",
  connect: {
    ...JSON_SERVERS,
    documentation: "https://docs.cline.bot/mcp/adding-and-configuring-servers",
    user: ["<app>/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"],
    folders: ["<app>/Code/User/globalStorage/saoudrizwan.claude-dev"],
    startsScripts: true,
    remote: (url, headers) => ({ type: "streamableHttp", url, ...headers }),
    next: "Cline starts the server at once; its MCP Servers view shows it.",
  },
};
