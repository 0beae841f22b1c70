import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "astrbot",
  title: "AstrBot",
  folders: { project: [], user: [".astrbot/data/skills"] }, // skills
};
