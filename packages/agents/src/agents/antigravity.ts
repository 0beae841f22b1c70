import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "antigravity",
  title: "Antigravity",
  alsoCalled: ["antigravity-cli"], // skills
  folders: { project: [], user: [".gemini/antigravity/skills", ".gemini/antigravity-cli/skills"] }, // skills
};
