import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "zed",
  title: "Zed",
  instructions: [".rules"], // docs
  client: { name: "zed" },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://zed.dev/docs/ai/mcp",
    keys: ["context_servers"],
    user: { win32: ["<app>/Zed/settings.json"], unix: ["<config>/zed/settings.json"] },
    project: [".zed/settings.json"],
    folders: { win32: ["<app>/Zed"], unix: ["<config>/zed"] },
    programs: ["zed"],
    local: (command, args) => ({ command, args, env: {} }),
    next: "Zed starts the server at once; its settings show it under AI, MCP Servers.",
    nextInProject: "Trust the project in Zed; its settings show the server under AI, MCP Servers.",
  },
};
