import { folderAgent } from "../agent.ts";

export const agent = folderAgent("zcode", "ZCode", [".zcode/skills"]); // skills
