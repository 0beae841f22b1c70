import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS, LIKE_OPENCODE } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "kilo",
  title: "Kilo",
  instructions: [".kilocoderules", ".kilocodemodes"], // not checked
  folders: inBoth(".kilo/skills", ".kilocode/skills"), // skills, docs
  client: {
    name: "kilo",
    measured: {
      pattern: /^kilo\b/i,
      traits: {
        reads: inBoth(".agents/skills", ".claude/skills", ".kilo/skills", ".kilocode/skills"),
        answerLimit: { count: 30_000, unit: "characters" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    ...LIKE_OPENCODE,
    documentation: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
    keys: ["mcp"],
    user: ["<config>/kilo/kilo.jsonc", "<config>/kilo/kilo.json"],
    project: [".kilo/kilo.jsonc", ".kilo/kilo.json", "kilo.jsonc", "kilo.json"],
    folders: ["<config>/kilo"],
    programs: ["kilo", "kilocode"],
    startsScripts: true,
    next: "Start Kilo again; `kilo mcp list` shows the server.",
  },
};
