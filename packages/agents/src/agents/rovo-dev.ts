import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "rovo-dev",
  title: "Rovo Dev CLI",
  provider: "rovodev",
  folders: inBoth(".rovodev/skills"), // skills
  connect: {
    ...JSON_SERVERS,
    documentation: "https://support.atlassian.com/rovo/docs/connect-to-an-mcp-server-in-rovo-dev-cli",
    user: ["~/.rovodev/mcp.json"],
    folders: ["~/.rovodev"],
    local: (command, args) => ({ command, args, transport: "stdio" }),
    remote: (url, headers) => ({ url, transport: "http", ...headers }),
    next: "Start a new session of Rovo Dev; /mcp shows the server.",
  },
};
