import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "autohand",
  title: "Autohand Code CLI",
  alsoCalled: ["autohand-code"], // skills
  folders: { ...inBoth(".autohand/skills"), movedBy: ["AUTOHAND_HOME", ".autohand"] }, // skills
};
