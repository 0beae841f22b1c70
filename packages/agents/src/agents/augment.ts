import { type Agent, folderAgent } from "../agent.ts";

export const agent: Agent = {
  ...folderAgent("augment", "Augment", [".augment/skills"]), // skills
  instructions: [".augment-guidelines"], // not checked
};
