import { folderAgent } from "../agent.ts";

export const agent = folderAgent("lingma", "Lingma", [".lingma/skills"]); // skills
