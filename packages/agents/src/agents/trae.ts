import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "trae",
  title: "Trae",
  alsoCalled: ["trae-cn"], // skills
  folders: { project: [".trae/skills"], user: [".trae/skills", ".trae-cn/skills"] }, // skills
};
