import { folderAgent } from "../agent.ts";

export const agent = folderAgent("trae", "Trae", [".trae/skills"], [".trae/skills", ".trae-cn/skills"]); // skills
