import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "vibe",
  title: "Mistral Vibe",
  folders: { ...inBoth(".vibe/skills"), movedBy: ["VIBE_HOME", ".vibe"] }, // skills
};
