import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "kimchi",
  title: "Kimchi",
  folders: { project: [".kimchi/skills"], user: [".config/kimchi/harness/skills"] }, // skills
};
