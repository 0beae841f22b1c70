import { folderAgent } from "../agent.ts";

export const agent = folderAgent("ona", "Ona", [".ona/skills"]); // skills
