import type { Agent } from "../agent.ts";
import { JSON_SERVERS, LIKE_OPENCODE } from "../connect/entry-forms.ts";

const READ = [".agents/skills", ".claude/skills", ".opencode/skills"] as const;

export const agent: Agent = {
  id: "opencode",
  title: "opencode",
  folders: {
    project: [".opencode/skills", ".opencode/skill"], // skills, source
    user: [".opencode/skills", ".config/opencode/skills", ".config/opencode/skill"], // skills, source
  },
  client: {
    name: "opencode",
    measured: {
      pattern: /^opencode\b/i,
      traits: {
        reads: { user: [...READ, ".config/opencode/skills"], project: READ },
        readsAbove: true,
        answerLimit: { count: 51_200, unit: "bytes" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    ...LIKE_OPENCODE,
    documentation: "https://opencode.ai/docs/mcp-servers/",
    keys: ["mcp"],
    user: [
      "<config>/opencode/opencode.json",
      "<config>/opencode/opencode.jsonc",
      "<config>/opencode/config.json",
    ],
    project: ["opencode.json", "opencode.jsonc"],
    folders: ["<config>/opencode"],
    programs: ["opencode"],
    startsScripts: true,
    next: "Start opencode again; `opencode mcp list` shows the server.",
  },
};
