import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "posit",
  title: "Posit Assistant",
  folders: inBoth(".posit/assistant/skills"), // skills
};
