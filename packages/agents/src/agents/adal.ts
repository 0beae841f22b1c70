import { folderAgent } from "../agent.ts";

export const agent = folderAgent("adal", "AdaL", [".adal/skills"]); // skills
