import { folderAgent } from "../agent.ts";

export const agent = folderAgent("aider-desk", "AiderDesk", [".aider-desk/skills"]); // skills
