import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "zencoder",
  title: "Zencoder",
  alsoCalled: ["zenflow"], // skills
  folders: inBoth(".zencoder/skills"), // skills
};
