import { folderAgent } from "../agent.ts";

export const agent = folderAgent("moxby", "Moxby", [".moxby/skills"]); // skills
