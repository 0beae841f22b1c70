import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "junie",
  title: "Junie",
  folders: inBoth(".junie/skills"), // skills
  connect: {
    ...JSON_SERVERS,
    documentation: "https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html",
    user: ["~/.junie/mcp/mcp.json"],
    project: [".junie/mcp/mcp.json"],
    folders: ["~/.junie"],
    programs: ["junie"],
    next: "Start a new session of Junie; /mcp shows the server.",
  },
};
