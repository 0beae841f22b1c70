import { folderAgent } from "../agent.ts";

export const agent = folderAgent("forge", "ForgeCode", [".forge/skills"]); // skills
