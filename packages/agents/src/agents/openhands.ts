import { folderAgent } from "../agent.ts";

export const agent = folderAgent("openhands", "OpenHands", [".openhands/skills"]); // skills
