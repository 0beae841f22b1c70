import { folderAgent } from "../agent.ts";

export const agent = folderAgent("qoder", "Qoder", [".qoder/skills"], [".qoder/skills", ".qoder-cn/skills"]); // skills
