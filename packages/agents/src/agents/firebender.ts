import { folderAgent } from "../agent.ts";

export const agent = folderAgent("firebender", "Firebender", [], [".firebender/skills"]); // skills
