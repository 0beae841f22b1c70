import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "cline",
  title: "Cline",
  instructions: [".clinerules"], // docs
  folders: inBoth(".cline/skills"), // docs
  client: {
    name: "cline",
    measured: {
      pattern: /^@cline\/core\b|^cline\b/i,
      traits: {
        reads: inBoth(".agents/skills", ".cline/skills"),
        // Of the whole result, where line breaks and quotes take two characters.
        answerLimit: { count: 8_000, unit: "json" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    title: "Cline CLI",
    documentation: "https://docs.cline.bot/mcp/adding-and-configuring-servers",
    user: ["~/.cline/data/settings/cline_mcp_settings.json"],
    folders: ["~/.cline"],
    programs: ["cline"],
    startsScripts: true,
    local: (command, args) => ({ transport: { type: "stdio", command, args } }),
    remote: (url, headers) => ({ transport: { type: "streamableHttp", url, ...headers } }),
    next: "Start a new session of Cline.",
  },
};
