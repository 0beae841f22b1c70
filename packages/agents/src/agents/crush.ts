import type { Agent } from "../agent.ts";
import { JSON_SERVERS, TYPED } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "crush",
  title: "Crush",
  instructions: ["CRUSH.md"], // not checked
  folders: { project: [".crush/skills"], user: [".config/crush/skills"] }, // skills
  connect: {
    ...JSON_SERVERS,
    ...TYPED,
    documentation: "https://github.com/charmbracelet/crush#mcps",
    tokenEnv: { header: (variable) => `$(echo Bearer $${variable})` }, // docs
    keys: ["mcp"],
    user: { win32: ["~/AppData/Local/crush/crush.json"], unix: ["<config>/crush/crush.json"] },
    project: ["crush.json", ".crush.json"],
    folders: { win32: ["~/AppData/Local/crush"], unix: ["<config>/crush"] },
    programs: ["crush"],
    startsScripts: true,
    next: "Start Crush again.",
  },
};
