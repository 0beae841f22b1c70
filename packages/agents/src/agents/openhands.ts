import { type Agent, folderAgent } from "../agent.ts";

export const agent: Agent = {
  ...folderAgent("openhands", "OpenHands", [".openhands/skills"]), // skills
  instructions: [".openhands_instructions"], // not checked
};
