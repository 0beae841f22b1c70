import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "deepagents",
  title: "Deep Agents",
  folders: { project: [], user: [".deepagents/agent/skills"] }, // skills
};
