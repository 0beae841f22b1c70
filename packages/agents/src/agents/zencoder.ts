import { folderAgent } from "../agent.ts";

export const agent = folderAgent("zencoder", "Zencoder", [".zencoder/skills"]); // skills
