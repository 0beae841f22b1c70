import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS, TYPED } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "droid",
  title: "Droid",
  folders: inBoth(".factory/skills"), // skills
  connect: {
    ...JSON_SERVERS,
    ...TYPED,
    documentation: "https://docs.factory.ai/cli/configuration/mcp",
    user: ["~/.factory/mcp.json"],
    project: [".factory/mcp.json"],
    folders: ["~/.factory"],
    programs: ["droid"],
    next: "Droid starts the server at once; /mcp shows it.",
  },
};
