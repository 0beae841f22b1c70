import { folderAgent } from "../agent.ts";

export const agent = folderAgent("codestudio", "Code Studio", [".codestudio/skills"]); // skills
