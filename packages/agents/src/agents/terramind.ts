import { folderAgent } from "../agent.ts";

export const agent = folderAgent("terramind", "Terramind", [".terramind/skills"]); // skills
