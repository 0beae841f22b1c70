import { folderAgent } from "../agent.ts";

export const agent = folderAgent("kode", "Kode", [".kode/skills"]); // skills
