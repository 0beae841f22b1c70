import { folderAgent } from "../agent.ts";

export const agent = folderAgent("pochi", "Pochi", [".pochi/skills"]); // skills
