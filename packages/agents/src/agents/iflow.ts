import { type Agent, folderAgent } from "../agent.ts";

export const agent: Agent = {
  ...folderAgent("iflow", "iFlow CLI", [".iflow/skills"]), // skills
  instructions: ["IFLOW.md"], // not checked
};
