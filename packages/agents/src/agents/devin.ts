import { folderAgent } from "../agent.ts";

export const agent = folderAgent("devin", "Devin for Terminal", [".devin/skills"], [".config/devin/skills"]); // skills
