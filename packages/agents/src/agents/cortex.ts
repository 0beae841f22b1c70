import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "cortex",
  title: "Cortex Code",
  folders: { project: [".cortex/skills"], user: [".snowflake/cortex/skills"] }, // skills
};
