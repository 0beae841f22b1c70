import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "qoder",
  title: "Qoder",
  alsoCalled: ["qoder-cn"], // skills
  folders: { project: [".qoder/skills"], user: [".qoder/skills", ".qoder-cn/skills"] }, // skills
};
