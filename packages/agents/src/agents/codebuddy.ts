import { type Agent, folderAgent } from "../agent.ts";

export const agent: Agent = {
  ...folderAgent("codebuddy", "CodeBuddy", [".codebuddy/skills"]), // skills
  instructions: ["CODEBUDDY.md"], // not checked
};
