import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "command-code",
  title: "Command Code",
  folders: inBoth(".commandcode/skills"), // skills
};
