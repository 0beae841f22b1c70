import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "hermes",
  title: "Hermes Agent",
  folders: { ...inBoth(".hermes/skills"), movedBy: ["HERMES_HOME", ".hermes"] }, // skills
};
