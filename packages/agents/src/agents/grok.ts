import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "grok",
  title: "Grok Build",
  folders: { ...inBoth(".grok/skills"), movedBy: ["GROK_HOME", ".grok"] }, // skills
};
