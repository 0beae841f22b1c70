import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "firebender",
  title: "Firebender",
  folders: { project: [], user: [".firebender/skills"] }, // skills
};
