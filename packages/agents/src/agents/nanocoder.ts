import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "nanocoder",
  title: "Nanocoder",
  client: {
    name: "nanocoder",
    measured: {
      pattern: /^nanocoder\b/i,
      traits: { answerLimit: { count: 20_000, unit: "characters" } },
    },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://github.com/Nano-Collective/nanocoder",
    tokenEnv: { header: (variable) => `Bearer $${variable}` }, // docs, for names in upper case
    user: {
      win32: ["<app>/nanocoder/.mcp.json"],
      darwin: ["~/Library/Preferences/nanocoder/.mcp.json"],
      unix: ["<config>/nanocoder/.mcp.json"],
    },
    movedBy: ["NANOCODER_CONFIG_DIR", ".mcp.json"],
    folders: {
      win32: ["<app>/nanocoder"],
      darwin: ["~/Library/Preferences/nanocoder"],
      unix: ["<config>/nanocoder"],
    },
    programs: ["nanocoder"],
    startsScripts: true,
    local: (command, args) => ({ transport: "stdio", command, args, alwaysAllow: ["skill"] }),
    remote: (url, headers) => ({ transport: "http", url, ...headers, alwaysAllow: ["skill"] }),
    next: "Start Nanocoder again.",
  },
};
