import type { Agent } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

/** Its skills are in the folders that many agents share (agents.ts). */
export const agent: Agent = {
  id: "amp",
  title: "Amp",
  instructions: ["AGENT.md"], // docs
  connect: {
    ...JSON_SERVERS,
    documentation: "https://ampcode.com/manual#mcp",
    keys: ["amp.mcpServers"],
    user: ["<config>/amp/settings.json"],
    movedBy: ["AMP_SETTINGS_FILE"],
    project: [".amp/settings.json"],
    folders: ["<config>/amp"],
    programs: ["amp"],
    next: "Start Amp again.",
    nextInProject: "Run `amp mcp approve skills` in this folder.",
  },
};
