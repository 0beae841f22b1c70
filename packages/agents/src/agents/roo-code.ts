import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "roo-code",
  title: "Roo Code",
  provider: "roo",
  instructions: [".roorules", ".roomodes"], // not checked
  folders: inBoth(".roo/skills"), // skills
  connect: {
    ...JSON_SERVERS,
    documentation: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
    user: ["<app>/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"],
    project: [".roo/mcp.json"],
    folders: ["<app>/Code/User/globalStorage/rooveterinaryinc.roo-cline"],
    startsScripts: true,
    remote: (url, headers) => ({ type: "streamable-http", url, ...headers }),
    next: "Roo Code starts the server at once; its MCP Servers view shows it.",
  },
};
