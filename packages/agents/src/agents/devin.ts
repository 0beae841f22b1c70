import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "devin",
  title: "Devin for Terminal",
  folders: { project: [".devin/skills"], user: [".config/devin/skills"] }, // skills
};
