import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "pi",
  title: "Pi",
  folders: { project: [".pi/skills"], user: [".pi/agent/skills"] }, // docs
};
